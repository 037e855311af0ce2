// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

import RevuePorts

/// Something that can be ended.
public protocol Cancellable {
    /// Ends it; a second call does nothing.
    func cancel()
}

/// Follows a publisher for as long as it is held: releasing it cancels.
///
/// After `cancel` has returned nothing more arrives on the same thread; a value that another thread is already handing
/// over may still be.
public final class AnyCancellable: Cancellable, Hashable, Sendable {
    private let action: Locked<Action>

    /// Runs `cancel` once: when cancelled, or else when released.
    public init(_ cancel: @escaping () -> Void) { action = Locked(Action(run: cancel)) }

    /// Cancels something else.
    public convenience init(_ other: some Cancellable) { self.init { other.cancel() } }

    deinit { cancel() }

    /// Follows the publisher no longer; a second call does nothing.
    public func cancel() {
        let run = action.withLock { action in
            defer { action.run = nil }
            return action.run
        }
        run?()
    }

    /// Keeps this in a set.
    public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

    /// Keeps this in a list.
    public func store(in list: inout some RangeReplaceableCollection<AnyCancellable>) { list.append(self) }

    /// Whether both are the same object.
    public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }
    /// Feeds the object's identity into a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    private struct Action: @unchecked Sendable {
        // SAFETY: only ever inside a `Locked`, and taken out of it to be run once.
        var run: (() -> Void)?
    }
}
