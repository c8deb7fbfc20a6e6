/// The verdicts on a causally closed set of operations, and State of it: each answer is worked out when it is asked
/// for, from the words of the rules, and remembered.
final class NaiveState<ID: Hashable & Comparable & Sendable, Person: Hashable & Comparable & Sendable> {
    typealias Grant = NaiveGrant<Person>

    private enum Verdict {
        case unasked, asked, effective
        case void(NaiveVoidReason)
    }

    let members: NumberSet
    private let numbers: [Int]
    // A history keeps the states of its pasts, and all of them go together.
    unowned let history: NaiveHistory<ID, Person>
    private var verdicts: [Verdict]

    init(_ history: NaiveHistory<ID, Person>, _ members: NumberSet) {
        self.history = history
        self.members = members
        numbers = history.operations.indices.filter(members.contains)
        verdicts = Array(repeating: .unasked, count: history.operations.count)
    }

    // MARK: - Effective

    func isEffective(_ number: Int) -> Bool { voidReason(of: number) == nil }

    /// Why an operation is void; nil if it is effective.
    func voidReason(of number: Int) -> NaiveVoidReason? {
        switch verdicts[number] {
        case .effective: return nil
        case .void(let voidReason): return voidReason
        case .asked: preconditionFailure("a verdict depends on itself: the rules or this model have a bug")
        case .unasked: break
        }
        verdicts[number] = .asked
        let voidReason = judge(number)
        verdicts[number] = voidReason.map { .void($0) } ?? .effective
        return voidReason
    }

    private func judge(_ number: Int) -> NaiveVoidReason? {
        if let flaw = history.flaws[number] { return flaw }
        if let voidReason = revocationOfDevice(against: number) { return voidReason }
        let operation = history.operations[number]
        switch operation.action {
        case .create, .merge, .device, .revoke, .decline, .leave, .stepdown: return nil
        case .join: return judgeJoin(number)
        case .add, .invite, .cancel, .remove, .promote, .demote, .set, .ratify:
            guard let grant = history.authorities[number], let needed = operation.action.roleNeeded else {
                preconditionFailure("the static check saw the grant")
            }
            // The grant of an acting admin is made by the very operation.
            if grant.maker != number, !isEffective(grant.maker) {
                return NaiveVoidReason("what made its grant is void", by: grant.maker)
            }
            // Somebody who adds as a member needs to be one, and the setting by which they may; everybody else what the
            // table says.
            let least = min(needed, grant.role)
            if grant.role < needed, let setting = history.stateBefore(number).settingForAdding {
                // Of what its author had seen the last `set` that counts decides.
                let seen = writes(of: Self.whoAdds).filter { history.pasts[number].contains($0.number) }
                if seen.last?.value != Self.everyone {
                    let last = isEffective(setting) ? seen.last?.number : setting
                    return NaiveVoidReason("the setting by which members add is void", by: last)
                }
            }
            return revocation(
                of: grant, against: number, needing: operation.action.takesFromOthers ? grant.role : least)
        }
    }

    private func judgeJoin(_ number: Int) -> NaiveVoidReason? {
        guard let invite = history.invites[number], let grant = history.authorities[invite] else {
            return NaiveVoidReason("its invite is void")
        }
        guard isEffective(invite) else { return NaiveVoidReason("its invite is void", by: invite) }
        if let voidReason = revocation(of: grant, against: number, needing: .moderator) { return voidReason }
        for ending in history.endings[invite, default: []] where members.contains(ending) {
            // To decline is one's own affair: it ends what comes after it. To cancel ends what it has not seen.
            let isInTime =
                history.operations[ending].action.isDecline
                ? history.pasts[number].contains(ending) : !history.pasts[ending].contains(number)
            if isInTime, isEffective(ending) {
                return NaiveVoidReason("its invite was ended", by: ending)
            }
        }
        return winner(against: number, by: invite).map { NaiveVoidReason("somebody else joined by the code", by: $0) }
    }

    /// Of people who use one code concurrently the one of the greatest rank has it.
    private func winner(against number: Int, by invite: Int) -> Int? {
        guard case .invite(_, nil) = history.operations[invite].action, let rank = history.rank(of: number) else {
            return nil
        }
        return numbers.first { other in
            guard history.isJoin(other, of: invite), let others = history.rank(of: other), others > rank else {
                return false
            }
            return history.operations[other].author != history.operations[number].author && isEffective(other)
        }
    }

    /// The revocation by which a grant does not carry an operation that needs a role.
    private func revocation(of grant: Grant, against number: Int, needing role: NaiveRole) -> NaiveVoidReason? {
        for revocation in history.reaching[grant.number] {
            guard members.contains(revocation.number), revocation.floor < role.rawValue else { continue }
            // What inviters give up themselves takes back nothing that they gave.
            let isJoin = history.operations[number].action.isJoin
            let isInTime =
                history.operations[revocation.number].action.isSelfOperation
                ? !isJoin && history.pasts[number].contains(revocation.number)
                : !history.pasts[revocation.number].contains(number)
            if isInTime, isEffective(revocation.number) {
                return NaiveVoidReason("its grant was revoked", by: revocation.number)
            }
        }
        return nil
    }

    // MARK: - Grants

    /// The grants of effective operations.
    private(set) lazy var effectiveGrants: [Grant] = history.grants.filter {
        members.contains($0.maker) && isEffective($0.maker)
    }

    func effectiveRevocations(of grant: Grant) -> [NaiveRevocation] {
        history.reaching[grant.number].filter { members.contains($0.number) && isEffective($0.number) }
    }

    /// The grants of admin or founder of effective operations, by their makers, each with what ended or lowered it.
    var offices: [(maker: Int, losses: [Int])] {
        effectiveGrants.filter { $0.role >= .admin }.map { grant in
            let losses = effectiveRevocations(of: grant).filter { $0.floor < NaiveRole.admin.rawValue }
            return (grant.maker, losses.map(\.number))
        }
    }

    /// The role at which a grant of an effective operation is live; nil if it is dead.
    func liveRole(of grant: Grant) -> NaiveRole? {
        let floors = effectiveRevocations(of: grant).map(\.floor)
        return NaiveRole(rawValue: min(grant.role.rawValue, floors.min() ?? grant.role.rawValue))
    }

    func liveGrants(of person: Person) -> [Grant] {
        history.grantsOfHolder[person, default: []].filter {
            members.contains($0.maker) && isEffective($0.maker) && liveRole(of: $0) != nil
        }
    }

    /// The highest role at which a grant is live; nil for somebody who is no member. The office of acting admin is left
    /// out.
    func role(of person: Person) -> NaiveRole? { liveGrants(of: person).compactMap(liveRole).max() }

    /// Everybody with a live grant.
    var people: Set<Person> { Set(effectiveGrants.filter { liveRole(of: $0) != nil }.map(\.holder)) }

    /// Of the oldest grant live at member or founder, else of the oldest live one; nil for somebody who has none.
    func seniority(of person: Person) -> NaiveAge? {
        let live = liveGrants(of: person)
        let basic = live.filter { [.member, .founder].contains(liveRole(of: $0)) }
        return (basic.isEmpty ? live : basic).map(\.rank.age).min()
    }

    /// The same, with what is confirmed of it: each of these grants counts from the smallest depth of an effective
    /// operation that was done under a grant of moderator or more, or is the creation, and that made the grant or has
    /// it in its past. What nobody confirmed comes after all else, by its own depth.
    func confirmedSeniority(of person: Person) -> NaiveConfirmedAge? {
        let live = liveGrants(of: person)
        let basic = live.filter { [.member, .founder].contains(liveRole(of: $0)) }
        return (basic.isEmpty ? live : basic).map(confirmedAge).min()
    }

    func confirmedAge(of grant: Grant) -> NaiveConfirmedAge {
        let confirming = numbers.filter { number in
            let isDecision =
                history.operations[number].action == .create
                || history.authorities[number].map { $0.role >= .moderator } == true
            return isDecision && (number == grant.maker || history.pasts[number].contains(grant.maker))
                && isEffective(number)
        }
        let depth = confirming.map { history.depths[$0] }.min()
        return NaiveConfirmedAge(
            isUnconfirmed: depth == nil,
            age: NaiveAge(
                depth: depth ?? history.depths[grant.maker], slot: grant.rank.age.slot,
                tieBreaker: grant.rank.age.tieBreaker))
    }

    // MARK: - Succession

    /// Who acts as admin while nobody is admin or founder.
    private(set) lazy var actingAdmin: Person? = findActingAdmin()

    // MARK: - Registers

    /// What the effective `set` with the largest depth, then the greatest rank, then the smallest id says of each
    /// field.
    var registers: [[UInt8]: [UInt8]] { writes.compactMapValues(\.last?.value) }

    /// The effective `set`s of each field, each after those that it overwrites.
    var writes: [[UInt8]: [(number: Int, value: [UInt8])]] {
        var fields: Set<[UInt8]> = []
        for number in numbers {
            if case .set(_, let field, _) = history.operations[number].action { fields.insert(field) }
        }
        return Dictionary(uniqueKeysWithValues: fields.map { ($0, writes(of: $0)) }).filter { !$0.value.isEmpty }
    }

    /// The effective `set`s of a field, each after those that it overwrites.
    private func writes(of field: [UInt8]) -> [(number: Int, value: [UInt8])] {
        var writes: [(number: Int, value: [UInt8])] = []
        for number in numbers {
            guard case .set(_, field, let value) = history.operations[number].action, isEffective(number) else {
                continue
            }
            writes.append((number, value))
        }
        return writes.sorted { overwrites($1.number, $0.number) }
    }

    private static var whoAdds: [UInt8] { Array("members-add".utf8) }
    private static var everyone: [UInt8] { Array("everyone".utf8) }

    /// The `set` that lets every member add people, if they may.
    var settingForAdding: Int? {
        writes(of: Self.whoAdds).last.flatMap { $0.value == Self.everyone ? $0.number : nil }
    }

    private func overwrites(_ number: Int, _ other: Int) -> Bool {
        if history.depths[number] != history.depths[other] { return history.depths[number] > history.depths[other] }
        if let rank = history.rank(of: number), let others = history.rank(of: other), rank != others {
            return rank > others
        }
        return history.operations[number].id < history.operations[other].id
    }
}
