import Membership
import OperationLog

extension Group {
    /// What a person may do in a conversation. What is about other people is allowed if it can be done to anybody.
    public struct Rights: Hashable, Sendable {
        /// Send messages.
        public var write = false
        /// Make people members.
        public var add = false
        /// Take people out.
        public var remove = false
        /// Change the name, the description, the photo and the settings.
        public var edit = false
        /// Give and take roles.
        public var promote = false
        /// Pin messages, and unpin them.
        public var pin = false
        /// Delete messages of others.
        public var deleteOthers = false
        /// Invite people, and make codes.
        public var invite = false

        /// May do nothing.
        public init() {}
    }

    /// What a person may do now: nothing for somebody who is no member.
    ///
    /// - Complexity: O(1) for a plain member where only moderators and those above decide; else O(*g*) in the person's
    ///   grants.
    public func rights(of user: UserID) -> Rights {
        var rights = Rights()
        guard isMember(user) else { return rights }
        rights.write = mayWrite(user)
        rights.deleteOthers = mayModerate(user)
        switch pinning {
        case .outsider, .member: rights.pin = true
        case .moderator: rights.pin = mayModerate(user)
        }
        guard case .group = root else { return rights }
        // Most people in most groups: a list of a thousand asks for each.
        let decidesNothing =
            role(of: user) == .member && actingAdmin != user
            && currentSetting(of: AddSetting.field) != AddSetting.everyone
        guard !decidesNothing else { return rights }
        let decides = resolver.rights(of: user)
        rights.add = decides.contains(.add)
        rights.remove = decides.contains(.remove)
        rights.edit = decides.contains(.set)
        rights.promote = decides.contains(.promote)
        rights.invite = decides.contains(.invite)
        return rights
    }
}
