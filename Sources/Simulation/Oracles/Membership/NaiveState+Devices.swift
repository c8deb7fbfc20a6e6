extension NaiveState {
    /// The revocation of its device by which an operation is void.
    ///
    /// Of several revocations the pins of all count. What somebody else who took from its author had seen stays, unless
    /// they knew.
    func revocationOfDevice(against number: Int) -> NaiveVoidReason? {
        let operation = history.operations[number]
        guard number != 0, let device = operation.device else { return nil }
        if case .revoke = operation.action { return nil }
        let revocations = history.operations.indices.filter { other in
            guard members.contains(other), history.flaws[other] == nil,
                case .revoke(operation.author, device, _) = history.operations[other].action
            else { return false }
            return true
        }
        let isPinned = revocations.contains { revocation in
            guard case .revoke(_, _, let pins) = history.operations[revocation].action else { return false }
            return pins.compactMap { history.numbers[$0] }
                .contains { $0 == number || history.pasts[$0].contains(number) }
        }
        guard let revocation = revocations.first, !isPinned else { return nil }
        let grant = operation.action.isJoin ? history.made[number].first : history.authorities[number]
        let isKept =
            grant.map { grant in
                history.reaching[grant.number].map(\.number).contains { keeper in
                    let seen = history.pasts[keeper]
                    return members.contains(keeper) && !history.operations[keeper].action.isSelfOperation
                        && seen.contains(number) && !revocations.contains(where: seen.contains) && isEffective(keeper)
                }
            } ?? false
        return isKept ? nil : NaiveVoidReason("its device was revoked", by: revocation)
    }
}
