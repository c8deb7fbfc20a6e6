/// The static check: what an operation's own past says about it, on every replica and forever.
extension NaiveHistory {
    func staticFlaw(of number: Int) -> NaiveVoidReason? {
        let operation = operations[number]
        switch operation.action {
        case .create: return number == 0 ? nil : NaiveVoidReason("it is not the root")
        case .merge: return nil
        case .revoke(_, _, let pins):
            let isBehindItsPins = pins.allSatisfy { pin in numbers[pin].map(pasts[number].contains) ?? false }
            return isBehindItsPins ? nil : NaiveVoidReason("its past lacks something that it pins")
        case .leave, .stepdown, .device:
            return everHadGrant(operation.author, in: pasts[number])
                ? nil : NaiveVoidReason("its author never had a grant")
        case .join, .decline:
            guard let invite = invites[number], case .invite(_, let target) = operations[invite].action else {
                return NaiveVoidReason("its past has no such invite")
            }
            if let target {
                return target == operation.author ? nil : NaiveVoidReason("the invite names somebody else")
            }
            guard case .join = operation.action else { return NaiveVoidReason("a code is nobody's to decline") }
            let isUsed = operations.indices.contains { other in
                pasts[number].contains(other) && isJoin(other, of: invite)
                    && operations[other].author != operation.author
            }
            return isUsed ? NaiveVoidReason("somebody else had joined by the code") : nil
        case .add, .invite, .cancel, .remove, .promote, .demote, .set, .ratify:
            guard let grant = authorities[number] else { return NaiveVoidReason("it acts under no grant of its past") }
            return flawOfAuthority(of: number, grant) ?? flawOfAction(of: number, under: grant)
        }
    }

    /// Whether an operation joins by an invite.
    func isJoin(_ number: Int, of invite: Int) -> Bool {
        guard case .join = operations[number].action else { return false }
        return invites[number] == invite
    }

    private func flawOfAuthority(of number: Int, _ grant: Grant) -> NaiveVoidReason? {
        let operation = operations[number]
        if operation.action.authority == .acting, stateBefore(number).actingAdmin != operation.author {
            return NaiveVoidReason("its author is not the acting admin")
        }
        guard grant.holder == operation.author else { return NaiveVoidReason("it acts under another's grant") }
        guard let needed = operation.action.roleNeeded else { return NaiveVoidReason("the role is too low") }
        if grant.role >= needed { return nil }
        // The one thing that members may be allowed.
        if case .add = operation.action, stateBefore(number).settingForAdding != nil { return nil }
        return NaiveVoidReason("the role is too low")
    }

    private func flawOfAction(of number: Int, under grant: Grant) -> NaiveVoidReason? {
        switch operations[number].action {
        case .promote(_, let target, let role):
            guard role <= grant.role, role <= .admin else { return NaiveVoidReason("it grants more than they have") }
            return stateBefore(number).liveGrants(of: target).isEmpty
                ? NaiveVoidReason("the target has no live grant") : nil
        case .remove(_, let target):
            return flaw(of: number, under: grant, against: target, needingLiveGrant: true)
        case .demote(_, let target, let role):
            if let flaw = flaw(of: number, under: grant, against: target, needingLiveGrant: true) { return flaw }
            guard role < .admin else { return NaiveVoidReason("it demotes to admin or above") }
            guard let current = stateBefore(number).role(of: target), role < current else {
                return NaiveVoidReason("it demotes to no less than the role")
            }
            return nil
        case .ratify(_, let keep, let bans):
            for kept in keep {
                guard kept.role < .admin else { return NaiveVoidReason("it keeps an admin") }
                guard everHadGrant(kept.person, in: pasts[number]) else {
                    return NaiveVoidReason("it keeps somebody who never had a grant")
                }
            }
            return bans.lazy.compactMap { person in
                self.flaw(of: number, under: grant, against: person, needingLiveGrant: false)
            }.first
        case .cancel:
            guard let invite = invites[number] else { return NaiveVoidReason("its past has no such invite") }
            if operations[invite].author == operations[number].author { return nil }
            guard let inviters = authorities[invite], grant.rank > inviters.rank else {
                return NaiveVoidReason("it does not outrank the inviter")
            }
            return nil
        case .create, .add, .invite, .join, .decline, .set, .device, .revoke, .merge, .leave, .stepdown: return nil
        }
    }

    /// Why an operation may not take from a person.
    private func flaw(
        of number: Int, under grant: Grant, against target: Person, needingLiveGrant: Bool
    ) -> NaiveVoidReason? {
        let state = stateBefore(number)
        if target == operations[number].author { return NaiveVoidReason("it is against oneself") }
        if target == state.actingAdmin { return NaiveVoidReason("the target is the acting admin") }
        let live = state.liveGrants(of: target)
        if needingLiveGrant, live.isEmpty { return NaiveVoidReason("the target has no live grant") }
        return live.allSatisfy { grant.dominates($0) } ? nil : NaiveVoidReason("it does not dominate every live grant")
    }
}
