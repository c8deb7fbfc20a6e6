import Membership

extension Trial {
    /// An operation of a device that was revoked which is void though something keeps it, or counts though nothing
    /// does.
    var misjudgedDevice: String? {
        for (number, operation) in operations.enumerated() {
            let rule = judgment.verdicts[number]?.voidReason?.rule
            if rule == .deviceRevoked, !falls(number) { return "\(operation.id) fell with its device" }
            if isEffective(number), falls(number) { return "\(operation.id) did not fall with its device" }
        }
        return nil
    }

    /// Whether an operation falls with its device, in the words of the specification.
    private func falls(_ number: Int) -> Bool {
        let operation = operations[number]
        switch operation.action {
        case .create, .revoke: return false
        case .add, .invite, .join, .decline, .cancel, .remove, .promote, .demote, .set, .ratify, .device, .merge,
            .leave, .stepdown:
            break
        }
        var revocations: [Int] = []
        for (other, candidate) in operations.enumerated() {
            guard case .revoke(operation.author, operation.device, let names) = candidate.action else { continue }
            let pins = names.compactMap { ledger.number(of: $0) }
            guard pins.count == names.count, pins.allSatisfy(ledger.pasts[other].contains) else { continue }
            if pins.contains(where: { $0 == number || ledger.pasts[$0].contains(number) }) { return false }
            revocations.append(other)
        }
        guard !revocations.isEmpty else { return false }
        return !operations.indices.contains { keeper in
            isEffective(keeper) && operations[keeper].author != operation.author
                && ledger.pasts[keeper].contains(number)
                && !revocations.contains(where: ledger.pasts[keeper].contains)
                && takes(keeper, fromAuthorOf: number)
        }
    }

    /// Whether an operation takes away from the author of another one some of the grant that this acts under or, if it
    /// is a join, makes.
    private func takes(_ revocation: Int, fromAuthorOf number: Int) -> Bool {
        let operation = operations[number]
        let isJoin = if case .join = operation.action { true } else { false }
        guard let grant = isJoin ? ledger.made[number].first : ledger.authority(of: number),
            let authority = ledger.authority(of: revocation)
        else { return false }
        let floor: Int
        switch operations[revocation].action {
        case .remove(_, operation.author): floor = -1
        case .demote(_, operation.author, let role): floor = Int(role.rawValue)
        case .ratify(_, _, let bans) where bans.contains(operation.author): floor = -1
        default: return false
        }
        var origin = grant.operation
        if case .join(let invite) = operations[origin].action { origin = ledger.number(of: invite) ?? origin }
        let suffices =
            switch grant.rank.role {
            case .founder: false
            case .admin, .moderator: authority.rank.role >= .admin
            case .member: authority.rank.role >= .moderator
            }
        return Int(grant.rank.role.rawValue) > floor && !ledger.pasts[origin].contains(revocation) && suffices
            && grant.rank < authority.rank
    }
}
