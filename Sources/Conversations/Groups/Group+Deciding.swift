import Cryptography
import Membership
import OperationLog

extension Group {
    /// The operations that revoke a device and count, in the order of the lane.
    public func countingRevocations(of device: DeviceID, of user: UserID) -> [OperationID] {
        revocations(of: device, of: user)
    }

    /// How much of what was decided would count no more if a device were revoked now: what it did itself, and what
    /// others did who rest on it.
    ///
    /// - Complexity: what judging one operation more costs, in a copy.
    public func decisionsLost(by revocation: DeviceRevocation) -> Int {
        guard case .group = root else { return 0 }
        let action = Action<OperationID, UserID, DeviceID>.revoke(
            revocation.user, revocation.device, pins: revocation.decisions)
        return trial(of: action, by: revocation.user, after: resolver.heads)?.lost ?? 0
    }

    /// What removing a person would change in a group, besides that they are in it no more.
    public struct RemovalOutcome: Hashable, Sendable {
        /// How much of what was decided would count no more: what they did, and what others did who rest on it.
        public let decisions: Int
        /// Who else would be in the group no more.
        public let leaving: [UserID]
        /// Who would be in the group again.
        public let returning: [UserID]
        /// Whether the person would be in the group no more.
        public let isRemoved: Bool
        /// How many members there would be.
        public let memberCount: Int
    }

    /// What a removal would change; nil in a direct conversation.
    ///
    /// - Parameters:
    ///   - authority: under what it would be written.
    ///   - parents: what it would follow, of what is here.
    /// - Complexity: what judging one operation more costs, in a copy; and O(*m*) in the members.
    public func outcome(
        ofRemoving target: UserID, by user: UserID, under authority: MembershipBody.Authority,
        after parents: [OperationID]
    ) -> RemovalOutcome? {
        let removal = MembershipBody.remove(under: authority, target: target, pins: [])
        guard case .group = root, let trial = trial(of: removal.action, by: user, after: parents) else { return nil }
        let state = trial.resolver.state
        let before = Set(members.map(\.user)).union(waiting.map(\.user))
        let after = Set(state.members.map(\.person)).union(state.waitlist.map(\.person))
        return RemovalOutcome(
            decisions: trial.lost, leaving: before.subtracting(after).subtracting([target]).sorted(),
            returning: after.subtracting(before).sorted(), isRemoved: !after.contains(target),
            memberCount: state.members.count)
    }

    /// What the lane would say with one operation more, and how much of what was decided would count no more; nil for
    /// an operation that is no use here.
    private func trial(
        of action: Action<OperationID, UserID, DeviceID>, by user: UserID, after parents: [OperationID]
    ) -> (resolver: MembershipResolver<OperationID, UserID, DeviceID>, lost: Int)? {
        var trial = resolver
        let operation = MembershipOperation(
            id: OperationID(digest: .hash("moot/1/trial", user.digest.bytes)), author: user, parents: parents,
            action: action)
        guard trial.insert(operation) == .inserted else { return nil }
        let lost = trial.settleReportingChanges().count { id in
            guard let entry = entry(id), entry.voidReason == nil, case .void = trial.verdict(of: id) else {
                return false
            }
            return switch entry.body {
            case .device, .merge, nil: false
            default: true
            }
        }
        return (trial, lost)
    }

    /// What became of the wish to write an operation.
    public enum Permission: Hashable, Sendable {
        /// It would take effect under this authority.
        case granted(under: MembershipBody.Authority)
        /// It would be void.
        case refused(VoidReason<OperationID>)
    }

    /// Under which authority of a person an operation would take effect, the weightiest first.
    ///
    /// - Parameter parents: what it would follow, of what is here; nil for all heads.
    /// - Returns: the best authority, or why the operation would be void under the weightiest; nil if they may decide
    ///   nothing at all.
    /// - Complexity: O(*n*) in the lane for each authority tried.
    public func permission(
        for body: (MembershipBody.Authority) -> MembershipBody, by user: UserID, after parents: [OperationID]? = nil
    ) -> Permission? {
        var refusal: VoidReason<OperationID>?
        for authority in resolver.authorities(of: user).map(MembershipBody.Authority.init) {
            guard let voidReason = voidReason(of: body(authority), by: user, after: parents) else {
                return .granted(under: authority)
            }
            refusal = refusal ?? voidReason
        }
        return refusal.map { .refused($0) }
    }

    /// Why an operation that a person would write now would be void; nil if it would take effect.
    ///
    /// - Parameter parents: what it would follow, of what is here; nil for all heads.
    public func voidReason(
        of body: MembershipBody, by user: UserID, after parents: [OperationID]? = nil
    ) -> VoidReason<OperationID>? {
        let unused = OperationID(digest: .hash("moot/1/trial", body.encoded))
        return resolver.voidReason(of: body.action, by: user, as: unused, after: parents)
    }
}
