import Membership
import OperationLog

/// Whom a conversation is shared with.
extension Group {
    /// Everybody the lane has ever named, with their standing now.
    ///
    /// - Complexity: O(*n*) in the lane, and once more for each invite of somebody who was a member and is none, up to
    ///   one that can be accepted. ``names(_:)`` is O(1).
    public var audience: [UserID: MembershipStatus] {
        var audience: [UserID: MembershipStatus] = [:]
        for user in resolver.invited { audience[user] = .invited }
        for user in resolver.holders { audience[user] = .former }
        // Who was in it once and is invited again hears of that; one invite of theirs tells it.
        forEachOpenInvite(where: { audience[$0] == .former }, { audience[$0.target] = .invited })
        for member in members { audience[member.user] = .member }
        return audience
    }

    /// Whether a person is in the ``audience``: a member, invited, or one of those who were.
    ///
    /// - Complexity: O(1).
    public func names(_ user: UserID) -> Bool { named.contains(user) }

    /// Whether anybody else than some people is in the ``audience``.
    ///
    /// - Complexity: O(*k*) in the people given.
    public func namesAnybody(besides people: Set<UserID>) -> Bool {
        named.count > people.count(where: named.contains)
    }
}

extension Group.Entry {
    /// Whom it lets into the conversation if it counts, or lets know of it.
    var peopleLetIn: [UserID] {
        guard case .invite(_, .person(let target)) = body else { return peopleGranted }
        return peopleGranted + [target.user]
    }
}
