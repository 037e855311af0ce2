// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

/// A small map that is walked in the order of its keys, so that the same inputs give the same outputs in every process.
struct SortedTable<Key: Comparable, Value> {
    private(set) var keys: [Key] = []
    private(set) var values: [Value] = []

    var count: Int { keys.count }
    var isEmpty: Bool { keys.isEmpty }

    subscript(key: Key) -> Value? {
        get {
            let place = place(of: key)
            return place.found ? values[place.index] : nil
        }
        set {
            let place = place(of: key)
            switch (place.found, newValue) {
            case (true, let value?): values[place.index] = value
            case (false, let value?):
                keys.insert(key, at: place.index)
                values.insert(value, at: place.index)
            case (true, nil):
                keys.remove(at: place.index)
                values.remove(at: place.index)
            case (false, nil): break
            }
        }
    }

    /// Changes the value in place, without a copy; nil when there is none.
    mutating func update<Result>(_ key: Key, _ body: (inout Value) -> Result) -> Result? {
        let place = place(of: key)
        return place.found ? body(&values[place.index]) : nil
    }

    func contains(_ key: Key) -> Bool { place(of: key).found }

    private func place(of key: Key) -> (index: Int, found: Bool) {
        var low = 0
        var high = keys.count
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return (low, low < keys.count && keys[low] == key)
    }
}

extension SortedTable: Equatable where Value: Equatable {}
extension SortedTable: Sendable where Key: Sendable, Value: Sendable {}
