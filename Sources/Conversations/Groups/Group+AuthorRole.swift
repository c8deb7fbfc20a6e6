import Membership
import OperationLog

/// How much say the author of a content operation had when they wrote it, from none up.
public enum AuthorRole: Int, Comparable, Hashable, Sendable {
    /// They were no member.
    case outsider
    /// They speak for themselves.
    case member
    /// They also decide about what others wrote.
    case moderator

    /// Who has more say.
    public static func < (left: AuthorRole, right: AuthorRole) -> Bool { left.rawValue < right.rawValue }
}

extension Group {
    /// How much say the author of a content operation had at its own membership heads, by grants that count in the
    /// whole lane.
    ///
    /// A past never changes, so who loses a role later does not take back what they decided with it. But who is taken
    /// out of the group decides no more for others than what whoever took them out had seen, and what they write on
    /// under old heads is the word of a member: else they would keep their role forever, by not having heard of their
    /// removal. And what is void gives nobody a say.
    ///
    /// - Parameters:
    ///   - isCutOff: whether the operation is cut off.
    ///   - lane: the lane this group was made of.
    /// - Complexity: O(1) for heads asked about lately; else see ``Views``.
    public mutating func authorRole(
        of operation: Operation, isCutOff: Bool, in lane: MembershipGraph
    ) -> AuthorRole {
        let heads = operation.header.membershipHeads
        guard let role = standing(of: operation.author.user, at: heads, in: lane).role else { return .outsider }
        guard role >= .moderator else { return .member }
        return isCutOff ? .member : .moderator
    }

    /// Why a content operation does not count, because its author had no right to write it; nil if it counts.
    ///
    /// It does not if the author was taken out of the group by somebody who had not seen the operation, if no grant
    /// that made the author a member is effective in the whole lane, or if the author was a plain member while only
    /// moderators, admins and the founder write. Everybody who holds the same operations gives the same answer.
    ///
    /// - Parameters:
    ///   - lane: the lane this group was made of.
    ///   - isCovered: whether the operation is the one that a pin names, or one that it follows.
    /// - Complexity: O(1) for heads asked about lately, and O(*r*) in what took the author out earlier than what
    ///   decides; else see ``Views``.
    public mutating func cutOff(
        _ operation: Operation, in lane: MembershipGraph, isCovered: (Pin) -> Bool
    ) -> CutOff<OperationID>? {
        guard case .group = root else { return nil }
        let (heads, user) = (operation.header.membershipHeads, operation.author.user)
        let exit = exit(unawareOf: operation, in: lane, isCovered: isCovered)
        let setting = Self.announced.contains(operation.header.type) ? announcement(at: heads, in: lane) : nil
        // For most operations nothing has to be found about their past.
        let isInDoubt = setting != nil || mayLackStanding(user)
        let standing = isInDoubt ? standing(of: user, at: heads, in: lane) : nil
        return CutOff(standing: standing, unseenBy: exit, announcement: setting)
    }

    /// The earliest effective operation outside the membership past of a content operation that takes its author out,
    /// and no pin of it covers the content.
    private mutating func exit(
        unawareOf operation: Operation, in lane: MembershipGraph, isCovered: (Pin) -> Bool
    ) -> OperationID? {
        let author = operation.author
        guard wasTakenOut(author.user), let past = lane.past(of: decisive(operation.header.membershipHeads)) else {
            return nil
        }
        return earliestExits(of: author.user).earliest(
            concerning: author.id, isSeen: { lane.contains($0.operation, at: $0.place, in: past) },
            isCovered: isCovered)?.operation
    }

    /// The types that say something new: where a group is set to announcements, only moderators, admins and the founder
    /// write them.
    private static let announced: Set<OperationType> = [.message, .edit, .file]

    /// Whether somebody who took the author of a content operation out names it as the last that they had seen: once it
    /// is here, what precedes it is not cut off any more.
    public func isPinned(_ operation: Operation) -> Bool {
        exits(of: operation.author.user, pinning: operation.author.id).contains {
            $0.pins[operation.author.id]?.operation == operation.id
        }
    }

    /// What is named of the content of a device; nil if it was not revoked. What is named counts, and so does what that
    /// follows on its branch.
    ///
    /// Revocations of the device name it. So do the pins of somebody else who took the user out and had not seen the
    /// device revoked: what a remover had seen stays as it is. Everybody who holds the same operations gives the same
    /// answer.
    ///
    /// - Complexity: O(*n*) in the names, the revocations and what pins the device's content.
    public func namedContent(of device: DeviceID, of user: UserID) -> Set<OperationID>? {
        let revocations = revocations(of: device, of: user)
        guard !revocations.isEmpty else { return nil }
        var named: Set<OperationID> = []
        for case .revoke(let revocation) in revocations.lazy.compactMap({ entry($0)?.body }) {
            named.formUnion(revocation.messages)
        }
        for exit in exits(of: user, pinning: device) {
            guard let pin = exit.pins[device], entry(exit.operation)?.operation.author.user != user,
                !resolver.hasSeen(exit.operation, revoked: device, of: user)
            else { continue }
            named.insert(pin.operation)
        }
        return named
    }

    /// Whether a person decides about what others wrote, now.
    public func mayModerate(_ user: UserID) -> Bool {
        role(of: user).map { $0 >= .moderator } ?? false
    }

    /// What it takes to pin a message. In a direct conversation neither has a role, so both may.
    public var pinning: AuthorRole {
        switch root {
        case .group: .moderator
        case .direct: .member
        }
    }
}
