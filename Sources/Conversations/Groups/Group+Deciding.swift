import Cryptography
import Membership
import OperationLog

extension Group {
    /// The operations that revoke a device and count, in the order of the lane.
    public func countingRevocations(of device: DeviceID, of user: UserID) -> [OperationID] {
        revocations(of: device, of: user)
    }

    /// How much of what was decided would count no more if a device were revoked now: what it did itself, and what others did who rest on it.
    ///
    /// - Complexity: what judging one operation more costs, in a copy.
    public func decisionsLost(by revocation: DeviceRevocation) -> Int {
        guard case .group = root else { return 0 }
        var trial = resolver
        let operation = MembershipOperation(
            id: OperationID(digest: .hash("moot/1/trial", revocation.device.digest.bytes)), author: revocation.user,
            parents: resolver.heads,
            action: Action<OperationID, UserID, DeviceID>.revoke(
                revocation.user, revocation.device, pins: revocation.decisions))
        guard trial.insert(operation) == .inserted else { return 0 }
        return trial.settleReportingChanges().count { id in
            guard let entry = entry(id), entry.voidReason == nil, case .void = trial.verdict(of: id) else {
                return false
            }
            return switch entry.body {
            case .device, .merge, nil: false
            default: true
            }
        }
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
    /// - Returns: the best authority, or why the operation would be void under the weightiest; nil if they may decide nothing at all.
    /// - Complexity: O(*n*) in the lane for each authority tried.
    public func permission(
        for body: (MembershipBody.Authority) -> MembershipBody, by user: UserID
    ) -> Permission? {
        var refusal: VoidReason<OperationID>?
        for authority in resolver.authorities(of: user).map(MembershipBody.Authority.init) {
            guard let voidReason = voidReason(of: body(authority), by: user) else { return .granted(under: authority) }
            refusal = refusal ?? voidReason
        }
        return refusal.map { .refused($0) }
    }

    /// Why an operation that a person would write now would be void; nil if it would take effect.
    public func voidReason(of body: MembershipBody, by user: UserID) -> VoidReason<OperationID>? {
        let unused = OperationID(digest: .hash("moot/1/trial", body.encoded))
        return resolver.voidReason(of: body.action, by: user, as: unused)
    }
}
