import Membership

extension Trial {
    /// An operation that changed the verdict on one that it does not outrank.
    var interference: String? {
        for (number, operation) in operations.enumerated() where !changed[number].isEmpty {
            if case .revoke(let person, let device, _) = operation.action {
                if let trouble = excess(of: number, revoking: device, of: person) { return trouble }
                continue
            }
            for id in changed[number].sorted() {
                guard let earlier = ledger.number(of: id), let rank = ledger.rank(of: number),
                    let other = ledger.rank(of: earlier), other < rank
                else { return "\(operation.id) changed the verdict on \(id), which it does not outrank" }
            }
        }
        return nil
    }

    /// What the revocation of a device changed that was not written on it, and does not rest on anything else that
    /// changed.
    private func excess(of revocation: Int, revoking device: String, of person: String) -> String? {
        let changed = changed[revocation].compactMap { ledger.number(of: $0) }
        return changed.first { other in
            if operations[other].author == person, operations[other].device == device { return false }
            return !changed.contains { rests(other, on: $0) }
        }
        .map { "\(operations[revocation].id) changed the verdict on \(operations[$0].id)" }
    }

    /// Whether the verdict on an operation may rest on that on another one: this outranks it, made the grant it acts
    /// under, or is what its author gave up before.
    private func rests(_ operation: Int, on other: Int) -> Bool {
        if let rank = ledger.rank(of: operation), let greater = ledger.rank(of: other), rank < greater { return true }
        if operation != other, ledger.authority(of: operation)?.operation == other { return true }
        switch operations[other].action {
        case .leave, .stepdown, .decline:
            return operations[other].author == operations[operation].author && ledger.pasts[operation].contains(other)
        case .create, .add, .invite, .join, .cancel, .remove, .promote, .demote, .set, .ratify, .device, .revoke,
            .merge:
            return false
        }
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
