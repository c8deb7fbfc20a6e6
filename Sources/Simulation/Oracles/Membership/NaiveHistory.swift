/// The facts that the hash graph alone fixes: pasts, depths, grants, what reaches what. Verdicts play no part in them.
final class NaiveHistory<ID: Hashable & Comparable & Sendable, Person: Hashable & Comparable & Sendable> {
    typealias Operation = NaiveOperation<ID, Person>
    typealias Grant = NaiveGrant<Person>

    /// The operations, each after its parents. Everything else names them by their number in this list.
    let operations: [Operation]
    private(set) var numbers: [ID: Int] = [:]
    /// What came before each operation; it is not in its own past.
    private(set) var pasts: [NumberSet] = []
    private(set) var depths: [Int] = []
    /// Every grant that an operation names, effective or not.
    private(set) var grants: [Grant] = []
    /// The grants each operation makes.
    private(set) var made: [[Grant]] = []
    private(set) var grantsOfHolder: [Person: [Grant]] = [:]
    /// The revocations that reach each grant, by the grant's number. Whether they are effective is another question.
    private(set) var reaching: [[NaiveRevocation]] = []
    /// The declines and cancels of each invite.
    private(set) var endings: [Int: [Int]] = [:]
    /// The grant each operation acts under, if it is in its past, or its own if it is done as acting admin.
    private(set) var authorities: [Grant?] = []
    /// The invite each join, decline or cancel names, if it is an invite of its past.
    private(set) var invites: [Int?] = []
    /// The operations that take something from a person, or by which they give something up.
    private var revocations: [Person: [Int]] = [:]
    private var tieBreakers: [Person: [UInt8]] = [:]
    /// Why an operation is void by its own past; nil inside if it is not.
    var flaws: [NaiveVoidReason?] = []
    private var states: [Int: NaiveState<ID, Person>] = [:]

    init(_ operations: [Operation], tieBreaker: (Person) -> [UInt8]) throws(NaiveDisorder<ID>) {
        self.operations = operations
        for (number, operation) in operations.enumerated() {
            guard numbers.updateValue(number, forKey: operation.id) == nil else { throw .duplicate(operation.id) }
            guard operation.parents.isEmpty == (number == 0) else { throw .notRooted(operation.id) }
            var past = NumberSet(limit: operations.count)
            var depth = 0
            for parent in operation.parents {
                guard let parent = numbers[parent], parent < number else { throw .missingParent(of: operation.id) }
                past.insert(parent)
                past.formUnion(pasts[parent])
                depth = max(depth, depths[parent] + 1)
            }
            pasts.append(past)
            depths.append(depth)
            invites.append(findInvite(of: number))
            keepGrants(of: number, tieBreaker: tieBreaker)
            authorities.append(findAuthority(of: number))
            keepRevocations(of: number)
        }
        reaching = grants.map { grant in
            revocations[grant.holder, default: []].compactMap { revocation in
                guard let floor = floor(of: revocation, for: grant.holder), floor < grant.role.rawValue,
                    reaches(revocation, grant)
                else { return nil }
                return NaiveRevocation(number: revocation, floor: floor)
            }
        }
        // In this order the states of the pasts find the static checks done that they rest on.
        for number in operations.indices { flaws.append(staticFlaw(of: number)) }
    }

    /// State(past) of an operation.
    func stateBefore(_ number: Int) -> NaiveState<ID, Person> {
        if let state = states[number] { return state }
        let state = NaiveState(self, pasts[number])
        states[number] = state
        return state
    }

    /// The rank by which an operation's verdict is found: of what it acts under or, for a join, of what it makes.
    func rank(of number: Int) -> NaiveRank? {
        if case .join = operations[number].action { return made[number].first?.rank }
        return authorities[number]?.rank
    }

    /// Whether some operation of a past, effective or not, names the person as holder.
    func everHadGrant(_ person: Person, in past: NumberSet) -> Bool {
        grantsOfHolder[person, default: []].contains { past.contains($0.maker) }
    }

    private func findInvite(of number: Int) -> Int? {
        switch operations[number].action {
        case .join(let id?), .decline(let id?), .cancel(_, let id?):
            guard let invite = numbers[id], pasts[number].contains(invite),
                case .invite = operations[invite].action
            else { return nil }
            return invite
        default: return nil
        }
    }

    private func findAuthority(of number: Int) -> Grant? {
        switch operations[number].action.authority {
        case .acting?: return made[number].first { $0.slot == 0 }
        case .grant(let id, let slot)?:
            guard let maker = numbers[id], pasts[number].contains(maker) else { return nil }
            return made[maker].first { $0.slot == slot }
        case .unreadable?, nil: return nil
        }
    }

    /// The highest role that survives a revocation of a person, as a number; −1 for none, nil if it revokes nothing
    /// of theirs.
    private func floor(of number: Int, for person: Person) -> Int? {
        switch operations[number].action {
        case .remove(_, person): -1
        case .demote(_, person, let role): role.rawValue
        case .ratify(_, _, let bans) where bans.contains(person): -1
        case .leave where operations[number].author == person: -1
        case .stepdown where operations[number].author == person: NaiveRole.member.rawValue
        default: nil
        }
    }

    /// Whether a revocation of the holder reaches a grant whose role is above its floor.
    private func reaches(_ revocation: Int, _ grant: Grant) -> Bool {
        var origin = grant.maker
        if case .join = operations[origin].action, let invite = invites[origin] { origin = invite }
        guard revocation != grant.maker, !pasts[origin].contains(revocation) else { return false }
        if operations[revocation].action.isSelfOperation { return true }
        return authorities[revocation]?.dominates(grant) ?? false
    }

    private func keepGrants(of number: Int, tieBreaker: (Person) -> [UInt8]) {
        let operation = operations[number]
        made.append([])
        func keep(_ slot: Int, _ holder: Person, _ role: NaiveRole, depth: Int) {
            let key = tieBreakers[holder] ?? tieBreaker(holder)
            tieBreakers[holder] = key
            let grant = Grant(
                number: grants.count, maker: number, slot: UInt64(slot), holder: holder,
                rank: NaiveRank(role: role, age: NaiveAge(depth: depth, slot: UInt64(slot), tieBreaker: key)))
            grants.append(grant)
            made[number].append(grant)
            grantsOfHolder[holder, default: []].append(grant)
        }
        let depth = depths[number]
        if operation.action.authority == .acting { keep(0, operation.author, .admin, depth: depth) }
        switch operation.action {
        case .create:
            keep(0, operation.author, .founder, depth: depth)
            keep(1, operation.author, .member, depth: depth)
        case .join: keep(0, operation.author, .member, depth: invites[number].map { depths[$0] } ?? depth)
        case .add(_, let targets):
            for (index, person) in targets.enumerated() { keep(1 + index, person, .member, depth: depth) }
        case .ratify(_, let kept, _):
            for (index, person) in kept.enumerated() { keep(1 + index, person.person, person.role, depth: depth) }
        case .promote(_, let person, let role), .demote(_, let person, let role): keep(1, person, role, depth: depth)
        case .invite, .decline, .cancel, .remove, .set, .device, .revoke, .merge, .leave, .stepdown: break
        }
    }

    private func keepRevocations(of number: Int) {
        let operation = operations[number]
        switch operation.action {
        case .remove(_, let person), .demote(_, let person, _): revocations[person, default: []].append(number)
        case .ratify(_, _, let bans): for person in Set(bans) { revocations[person, default: []].append(number) }
        case .leave, .stepdown: revocations[operation.author, default: []].append(number)
        case .decline, .cancel: if let invite = invites[number] { endings[invite, default: []].append(number) }
        case .create, .add, .invite, .join, .promote, .set, .device, .revoke, .merge: break
        }
    }
}

/// A revocation that reaches a grant.
struct NaiveRevocation: Sendable {
    /// The operation.
    let number: Int
    /// The highest role that survives it, as a number; −1 for none.
    let floor: Int
}

/// Why operations cannot be judged: no replica can hold them so.
package enum NaiveDisorder<ID: Hashable & Sendable>: Error, Hashable, Sendable {
    /// An operation occurs in the list twice.
    case duplicate(ID)
    /// An operation is before something it names, or without it.
    case missingParent(of: ID)
    /// The first operation has parents, or a later one has none.
    case notRooted(ID)
}

/// Why an operation is void.
struct NaiveVoidReason: Hashable, Sendable {
    /// The rule, in words.
    let rule: String
    /// The number of the operation that voids it, if another one does.
    let culprit: Int?

    init(_ rule: String, by culprit: Int? = nil) {
        self.rule = rule
        self.culprit = culprit
    }
}
