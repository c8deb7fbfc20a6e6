import Cryptography
import Membership
import OperationLog

extension Group {
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
