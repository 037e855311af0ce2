// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

extension Session {
    /// Our friends, in the order in which they were added.
    public var friends: [PeerID] { book.order }
    /// Whether the peer is a friend.
    public func isFriend(_ peer: PeerID) -> Bool { book.contains(peer) }
    /// What a friend shows of themselves; nil when the peer is no friend.
    public func profile(of peer: PeerID) -> Profile? { book.profile(of: peer) }
    /// The paths to a friend that work right now; none when the peer is no friend.
    public func paths(of peer: PeerID) -> Paths { book.paths(of: peer) }

    /// Sets our name; NUL characters are taken out. Nothing happens when it is our name already.
    ///
    /// - Throws: `ProfileFailure.tooLong` above 128 bytes of UTF-8.
    public mutating func setName(_ name: String) throws(ProfileFailure) -> [Effect] {
        let name = try fit(name, Profile.nameBytes)
        guard name != profile.name else { return [] }
        profile.name = name
        return [.transport(.setName(name)), .notify(.selfName(name))]
    }

    /// Sets our status message; NUL characters are taken out. Nothing happens when it is ours already.
    ///
    /// - Throws: `ProfileFailure.tooLong` above 1,007 bytes of UTF-8.
    public mutating func setStatusMessage(_ text: String) throws(ProfileFailure) -> [Effect] {
        let text = try fit(text, Profile.statusMessageBytes)
        guard text != profile.statusMessage else { return [] }
        profile.statusMessage = text
        return [.transport(.setStatusMessage(text)), .notify(.selfStatusMessage(text))]
    }

    /// Sets our availability. Nothing happens when it is ours already.
    public mutating func setAvailability(_ availability: Availability) -> [Effect] {
        guard availability != profile.availability else { return [] }
        profile.availability = availability
        return [.transport(.setAvailability(availability)), .notify(.selfAvailability(availability))]
    }

    private func fit(_ text: String, _ limit: Int) throws(ProfileFailure) -> String {
        let text = text.withoutNUL
        guard text.utf8.count <= limit else { throw .tooLong(size: text.utf8.count, limit: limit) }
        return text
    }
}
