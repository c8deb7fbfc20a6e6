import Membership

extension Trial {
    /// An operation that changed the verdict on one that it does not outrank.
    var interference: String? {
        for (number, operation) in operations.enumerated() where !changed[number].isEmpty {
            for id in changed[number].sorted() {
                guard let earlier = ledger.number(of: id), let rank = ledger.rank(of: number),
                    let other = ledger.rank(of: earlier), other < rank
                else { return "\(operation.id) changed the verdict on \(id), which it does not outrank" }
            }
        }
        return nil
    }

    /// An operation that counts and grants what its author's grant does not outrank.
    var insubordination: String? {
        for (number, operation) in operations.enumerated() where isEffective(number) {
            let granting: Ledger.Grant?
            if case .join(let invite) = operation.action {
                granting = ledger.number(of: invite).flatMap { ledger.authority(of: $0) }
            } else {
                granting = ledger.authority(of: number)
            }
            // The creation grants under nothing, and the acting admin makes the grant that they act under.
            guard let granting else {
                if ledger.made[number].isEmpty || operation.action == .create { continue }
                return "\(operation.id) grants under nothing"
            }
            for grant in ledger.made[number] where grant.operation != granting.operation || grant.slot != granting.slot
            {
                guard grant.rank < granting.rank else { return "\(operation.id) grants what it does not outrank" }
            }
        }
        return nil
    }
}
