import Membership
import OperationLog

extension Group {
    /// What became of the grants that an effective operation made, by the people who were given them.
    public struct MemberGrant: Sendable {
        /// Who was given the grant.
        public let user: UserID
        /// What became of it.
        public let grant: GrantOutcome<OperationID>
        /// Whether something ended or capped it that had not seen it, so that the operation came to less than its
        /// author can have meant.
        public let isCutShort: Bool
    }

    /// What became of every grant, by the operation that made it; void operations are left out, because their entry
    /// says why they are.
    ///
    /// - Complexity: O(*g* · *r*) in the grants and revocations of each person.
    public var grantOutcomes: [OperationID: [MemberGrant]] {
        var accounts: [OperationID: [MemberGrant]] = [:]
        for user in resolver.holders {
            for grant in resolver.grantOutcomes(for: user) where !grant.isVoid {
                let isCutShort = grant.limits.contains { !resolver.isKnown(grant.operation, to: $0) }
                accounts[grant.operation, default: []].append(
                    MemberGrant(user: user, grant: grant, isCutShort: isCutShort))
            }
        }
        return accounts
    }
}
