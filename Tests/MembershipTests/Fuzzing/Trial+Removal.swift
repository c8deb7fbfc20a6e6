import Membership
import ReplicatedTypes

extension Trial {
    /// A grant that a removal, ban or demotion had seen alive, and that is alive though that counts.
    var survivor: String? {
        for (number, operation) in operations.enumerated() where isEffective(number) {
            let targets: [(person: String, survives: Role?)]
            switch operation.action {
            case .remove(_, let person): targets = [(person, nil)]
            case .demote(_, let person, let role): targets = [(person, role)]
            case .ratify(_, _, let bans): targets = bans.map { ($0, nil) }
            case .create, .add, .invite, .join, .decline, .cancel, .promote, .set, .device, .revoke, .merge, .leave,
                .stepdown:
                continue
            }
            let before = MembershipResolver(
                evaluating: ledger.history(of: number), capacity: capacity, tieBreaker: Judgment.tieBreaker)
            let alive = before.grants(atLeast: .member)
            for target in targets {
                let least = target.survives.flatMap { Role(rawValue: $0.rawValue + 1) } ?? .member
                let left = Set(resolver.grants(atLeast: least).dots(of: target.person))
                guard left.isDisjoint(with: alive.dots(of: target.person)) else {
                    return "\(operation.id) leaves \(target.person) what it had seen"
                }
            }
        }
        return nil
    }
}
