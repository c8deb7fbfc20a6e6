import OperationLogFixtures

@testable import Simulation

/// A group whose members write whatever chance suggests: mostly under a grant of theirs, often on old heads,
/// sometimes without any right.
struct RandomActions {
    typealias Operation = NaiveOperation<String, String>

    private(set) var operations: [Operation] = []
    private var pasts: [Set<Int>] = []
    let capacity: Int
    let people: [String]
    private var grants: [(holder: String, role: NaiveRole, maker: Int, slot: UInt64)] = []
    private var invites: [(id: String, target: String?)] = []
    private var random: SplitMix64

    init(seed: UInt64, count: Int, people number: Int) {
        random = SplitMix64(seed: seed)
        capacity = [2, 4, 256][Int(random.next() % 3)]
        people = (0..<number).map { "P\($0)" }.shuffled(using: &random)
        write(.create, by: people[0], after: [])
        // One of them comes later, or by what is void.
        let first = Array(people.dropLast())
        write(.add(under: .grant("0", slot: 0), targets: first), by: people[0], after: [0])
        for target in first.dropFirst().prefix(Int(random.next() % 5)) {
            let role: NaiveRole = chance(0.8) ? .admin : .moderator
            write(
                .promote(under: .grant("0", slot: 0), target: target, role: role), by: people[0],
                after: [operations.count - 1])
        }
        while operations.count < count { grow() }
    }

    private mutating func grow() {
        if chance(0.25), strike() { return }
        let parents = chooseParents()
        let usual = chance(0.9)
        // Members may do little, and old grants dominate more.
        let past = chance(0.95) ? past(of: parents) : Set(operations.indices)
        let least = chance(0.7) ? NaiveRole.admin : chance(0.7) ? .moderator : .member
        let seen = grants.filter { past.contains($0.maker) }
        let weighty = seen.contains { $0.role >= least } ? seen.filter { $0.role >= least } : seen
        let grant = weighty[chance(0.3) ? min(pick(weighty.count), pick(weighty.count)) : pick(weighty.count)]
        let author = usual ? grant.holder : person()
        let authority: NaiveAuthority<String> =
            chance(0.1) ? .acting : .grant(String(grant.maker), slot: grant.slot)
        write(chooseAction(authority), by: author, after: parents)
    }

    /// Somebody with an older grant takes the authority away from the author of an operation, concurrently with it.
    ///
    /// - Returns: whether there was such an operation.
    private mutating func strike() -> Bool {
        let struck = operations[pick(operations.count)]
        guard case .grant(let maker, _)? = struck.action.authority, let limit = Int(maker) else { return false }
        let older = grants.filter { $0.maker < limit && $0.role > .member && $0.holder != struck.author }
        guard !older.isEmpty else { return false }
        let grant = older[pick(older.count)]
        let under = NaiveAuthority.grant(String(grant.maker), slot: grant.slot)
        let action: NaiveAction<String, String> =
            switch pick(4) {
            case 0..<2: .remove(under: under, target: struck.author)
            case 2: .demote(under: under, target: struck.author, role: chance(0.5) ? .member : .moderator)
            default: .ratify(under: under, keep: [], bans: [struck.author])
            }
        write(action, by: grant.holder, after: struck.parents.compactMap { Int($0) })
        return true
    }

    private mutating func chooseParents() -> [Int] {
        let last = operations.count - 1
        if chance(0.5) { return heads() }
        let oldest = chance(0.7) ? max(0, last - 8) : 0
        return Set((0...pick(2)).map { _ in oldest + pick(last - oldest + 1) }).sorted()
    }

    private func past(of parents: [Int]) -> Set<Int> {
        parents.reduce(into: Set(parents)) { $0.formUnion(pasts[$1]) }
    }

    private func heads() -> [Int] {
        let named = Set(operations.flatMap(\.parents))
        return operations.indices.filter { !named.contains(operations[$0].id) }
    }

    private mutating func chooseAction(_ under: NaiveAuthority<String>) -> NaiveAction<String, String> {
        let invite = invites.isEmpty ? nil : invites[pick(invites.count)].id
        return switch pick(50) {
        case 0..<7: .promote(under: under, target: person(), role: role())
        case 7..<12: .remove(under: under, target: person())
        case 12..<15: .demote(under: under, target: person(), role: role())
        case 15..<19: .add(under: under, targets: [person(), person()])
        case 19..<22: .invite(under: under, target: chance(0.5) ? nil : person())
        case 22..<25: .join(invite: invite)
        case 25: .decline(invite: invite)
        case 26: .cancel(under: under, invite: invite)
        case 27..<29: .set(under: under, field: [UInt8(pick(2))], value: [UInt8(operations.count % 128)])
        case 29:
            .set(
                under: under, field: Array("members-add".utf8), value: Array((chance(0.7) ? "everyone" : "-").utf8))
        case 30..<33:
            .ratify(
                under: under,
                keep: [NaiveKeep(person(), .member), NaiveKeep(person(), chance(0.9) ? .moderator : role())],
                bans: chance(0.3) ? [person()] : [])
        case 33..<35: .leave
        case 35..<37: .stepdown
        case 37: .add(under: under, targets: [person()])
        case 38: .device
        case 39..<43: revocation()
        case 43..<49:
            .set(under: under, field: Array("announcement".utf8), value: Array((chance(0.7) ? "on" : "off").utf8))
        default: .merge
        }
    }

    private mutating func write(_ action: NaiveAction<String, String>, by author: String, after parents: [Int]) {
        let number = operations.count
        var author = author
        if case .join(let invite?) = action, chance(0.9), let asked = invites.first(where: { $0.id == invite }) {
            author = asked.target ?? person()
        }
        if action.authority == .acting { grants.append((author, .admin, number, 0)) }
        switch action {
        case .create: grants += [(author, .founder, number, 0), (author, .member, number, 1)]
        case .add(_, let targets):
            for (slot, person) in targets.enumerated() { keep(person, .member, number, slot + 1) }
        case .ratify(_, let kept, _):
            for (slot, person) in kept.enumerated() { keep(person.person, person.role, number, slot + 1) }
        case .promote(_, let person, let role), .demote(_, let person, let role): keep(person, role, number, 1)
        case .join: keep(author, .member, number, 0)
        case .invite(_, let person): invites.append((String(number), person))
        case .decline, .cancel, .remove, .set, .device, .revoke, .merge, .leave, .stepdown: break
        }
        pasts.append(past(of: parents))
        operations.append(
            Operation(
                id: String(number), author: author, device: device(of: author), parents: parents.map(String.init),
                action: action))
    }

    /// A device is revoked, with pins of what was written on it, or of anything.
    private mutating func revocation() -> NaiveAction<String, String> {
        let person = person()
        let device = device(of: person)
        let written = operations.filter { $0.author == person && $0.device == device }
        let pins = (0..<pick(3)).map { _ in
            written.isEmpty || chance(0.2) ? operations[pick(operations.count)].id : written[pick(written.count)].id
        }
        return .revoke(of: person, device: device, pins: pins)
    }

    private mutating func device(of person: String) -> [UInt8] { Array("\(person)\(pick(2))".utf8) }

    private mutating func keep(_ holder: String, _ role: NaiveRole, _ maker: Int, _ slot: Int) {
        grants.append((holder, role, maker, UInt64(slot)))
    }

    private mutating func person() -> String { people[pick(people.count)] }

    private mutating func role() -> NaiveRole {
        [.member, .moderator, .moderator, .admin, .admin, .founder][pick(6)]
    }

    private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < probability
    }
}
