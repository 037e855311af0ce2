// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

public import RevueTime

extension Session {
    /// Ends everything, for `destroy`: every operation is cancelled, every call and invitation ends with its notices, and
    /// friends with a path hear goodbye.
    ///
    /// Goodbyes linger for at most 500 ms: keep calling `handle` until `nextDeadline` is nil, or do not.
    public mutating func close(at now: Instant) -> [Effect] {
        guard !isClosed else { return [] }
        isClosed = true
        var effects: [Effect] = []
        for peer in book.order { cancelOperations(with: peer, into: &effects) }
        for peer in book.order { endEverything(with: peer, at: now, into: &effects) }
        for peer in book.order {
            depart(from: peer, forgetting: false, at: now, into: &effects)
            _ = book.remove(peer)
        }
        return effects
    }
}
