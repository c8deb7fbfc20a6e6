import Membership
import OperationLogFixtures

/// A graph such as liars and latecomers make: forged authority, old parents, forks, operations about strangers.
///
/// Few people and few heads, so that what is written at random concerns what was written before.
struct RandomGraph {
    typealias Operation = Ledger.Operation

    /// What a graph has most of.
    private enum Theme: CaseIterable {
        case mixed, duel, succession, consent, ratification, stale, registers, devices
    }

    private(set) var ledger = Ledger()
    /// How many members the group may have.
    let capacity: Int

    private var random: SplitMix64
    private let theme: Theme
    private let people: [String]
    /// How often an author shows all that there is.
    private let candor: Double
    private var invites: [Int] = []

    /// The operations, each after its parents.
    var operations: [Operation] { ledger.operations }

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        theme = Theme.allCases.randomElement(using: &random) ?? .mixed
        people = Array(
            "ABCDEFGH".map(String.init).shuffled(using: &random).prefix(Int.random(in: 3...8, using: &random)))
        candor = [0.9, 0.6, 0.3].randomElement(using: &random) ?? 0.6
        capacity = [2, 3, 5, 256].randomElement(using: &random) ?? 5
        let count = Int.random(in: 5...(chance(0.2) ? 40 : 20), using: &random)
        open()
        while operations.count < count { grow() }
    }

    // MARK: - Growing

    /// A few operations that make a group with roles.
    private mutating func open() {
        let founder = people[0]
        append(founder, after: [], .create)
        let others = Array(people.dropFirst())
        append(founder, after: [0], .add(.grant("0", slot: 0), Array(others.prefix(chance(0.5) ? 3 : 7))))
        for person in others.prefix(Int.random(in: 0...3, using: &random)) {
            // Concurrently or one after the other.
            let parent = chance(0.3) ? 1 : operations.count - 1
            append(founder, after: [parent], .promote(.grant("0", slot: 0), person, chance(0.6) ? .admin : .moderator))
        }
        if theme == .stale { append(founder, after: [chance(0.5) ? 0 : 1], chance(0.5) ? .leave : .stepdown) }
        if theme == .succession { append(founder, after: [operations.count - 1], chance(0.7) ? .leave : .stepdown) }
    }

    private mutating func grow() {
        if chance(theme == .duel || theme == .stale ? 0.35 : 0.15), strike() { return }
        let parents = chosenParents()
        let (author, authority) = chosenAuthor(past: ledger.past(of: parents))
        let action = chosenAction(authority)
        if case .join(let invite) = action {
            answer(invite, action, by: author, after: parents)
        } else if case .decline(let invite) = action {
            answer(invite, action, by: author, after: parents)
        } else {
            append(author, after: parents, action)
        }
    }

    /// Somebody weightier takes the authority away from the author of an operation, concurrently with it.
    ///
    /// - Returns: whether there was such an operation.
    private mutating func strike() -> Bool {
        let targets = operations.indices.filter { (ledger.authority(of: $0)?.operation ?? 0) != 0 }
        guard let struck = targets.randomElement(using: &random), let victim = ledger.authority(of: struck) else {
            return false
        }
        let parents = chance(0.6) ? operations[struck].parents.compactMap { ledger.number(of: $0) } : [victim.operation]
        let past = ledger.past(of: parents)
        let weightier = ledger.grants.filter { past.contains($0.operation) && victim.rank < $0.rank }
        guard let grant = weightier.randomElement(using: &random) else { return false }
        let authority = Authority.grant(operations[grant.operation].id, slot: grant.slot)
        let action: Action<String, String, String> =
            switch Int.random(in: 0..<6, using: &random) {
            case 0..<3: .remove(authority, victim.holder)
            case 3..<5: .demote(authority, victim.holder, chance(0.5) ? .member : .moderator)
            default: .ratify(authority, keep: [], bans: [victim.holder])
            }
        append(grant.holder, after: parents, action)
        return true
    }

    /// Who answers is mostly who was asked, after they were, and mostly without having seen much else.
    private mutating func answer(
        _ invite: String, _ action: Action<String, String, String>, by author: String, after parents: [Int]
    ) {
        guard let number = ledger.number(of: invite), case .invite(_, let asked) = operations[number].action else {
            return
        }
        var after = parents
        if chance(0.85), !parents.contains(number) { after = chance(0.5) ? [number] : parents + [number] }
        append(chance(0.85) ? asked ?? person() : author, after: after, action)
    }

    private mutating func chosenParents() -> [Int] {
        if chance(candor) { return ledger.heads.sorted() }
        let other = Int.random(in: 0..<operations.count, using: &random)
        // Concurrently with another operation, a few operations behind, or long ago.
        if other > 0, chance(0.3) { return operations[other].parents.compactMap { ledger.number(of: $0) } }
        let oldest = chance(0.6) ? max(0, operations.count - 6) : 0
        let parent = Int.random(in: oldest..<operations.count, using: &random)
        return chance(0.4) ? Set([parent, other]).sorted() : [parent]
    }

    private mutating func chosenAction(_ authority: Authority<String>) -> Action<String, String, String> {
        switch theme {
        case .duel where chance(0.5):
            return chance(0.6) ? .remove(authority, person()) : .promote(authority, person(), .admin)
        case .succession where chance(0.4): return chance(0.7) ? .leave : .stepdown
        case .consent where chance(0.6): return consent(authority)
        case .ratification where chance(0.3): return ratification(authority)
        case .stale where chance(0.3):
            return chance(0.5) ? .demote(authority, person(), role()) : .remove(authority, person())
        case .registers where chance(0.6): return write(authority)
        case .devices where chance(0.2): return revocation()
        case .mixed, .duel, .succession, .consent, .ratification, .stale, .registers, .devices: break
        }
        switch Int.random(in: 0..<32, using: &random) {
        case 0..<6: return .add(authority, [person(), person()])
        case 6..<12: return .remove(authority, person())
        case 12..<18: return .promote(authority, person(), role())
        case 18..<20: return .demote(authority, person(), role())
        case 20..<22: return write(authority)
        case 22..<24: return ratification(authority)
        case 24..<26: return consent(authority)
        case 26..<28: return .leave
        case 28..<30: return .stepdown
        case 30: return .merge
        default: return chance(0.5) ? .device : chance(0.8) ? revocation() : .create
        }
    }

    /// Who writes, and what they act under if they need something: mostly a grant of their own, sometimes a forged one.
    private mutating func chosenAuthor(past: Past) -> (author: String, Authority<String>) {
        if chance(theme == .succession || theme == .stale ? 0.3 : 0.05) { return (person(), .acting) }
        let seen = ledger.grants.filter { past.contains($0.operation) }
        let candidates: [Ledger.Grant]
        switch Int.random(in: 0..<20, using: &random) {
        case 0: candidates = ledger.grants
        case 1..<4: candidates = seen
        case 4..<8: candidates = seen.filter { $0.rank.role >= .moderator }
        default:
            // The founder is out of reach, so more happens among those below.
            candidates = seen.filter { $0.rank.role == .moderator || $0.rank.role == .admin }
        }
        guard let grant = candidates.randomElement(using: &random) else { return (person(), .acting) }
        return (chance(0.9) ? grant.holder : person(), .grant(operations[grant.operation].id, slot: grant.slot))
    }

    private mutating func consent(_ authority: Authority<String>) -> Action<String, String, String> {
        guard let invite = invites.randomElement(using: &random), chance(0.7) else {
            return .invite(authority, chance(0.4) ? nil : person())
        }
        let id = operations[invite].id
        return switch Int.random(in: 0..<5, using: &random) {
        case 0..<3: .join(id)
        case 3: .decline(id)
        default: .cancel(authority, id)
        }
    }

    private mutating func ratification(_ authority: Authority<String>) -> Action<String, String, String> {
        let keep = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            Kept(person(), chance(0.8) ? .member : role())
        }
        let bans = (0..<Int.random(in: 0...2, using: &random)).map { _ in person() }
        return .ratify(authority, keep: keep, bans: bans)
    }

    private mutating func append(_ author: String, after parents: [Int], _ action: Action<String, String, String>) {
        if case .invite = action { invites.append(operations.count) }
        ledger.append(
            Operation(
                id: "\(operations.count)", author: author, device: device(of: author),
                parents: parents.map { operations[$0].id }, action: action))
    }

    /// A device of somebody is revoked, mostly with pins of what was written on it.
    private mutating func revocation() -> Action<String, String, String> {
        let person = person()
        let device = device(of: person)
        let written = operations.filter { $0.author == person && $0.device == device }
        let pins = (0..<Int.random(in: 0...2, using: &random)).compactMap { _ in
            (chance(0.8) ? written : operations).randomElement(using: &random)?.id
        }
        return .revoke(person, device, pins: pins)
    }

    /// The laptop of somebody, or their phone.
    private mutating func device(of person: String) -> String {
        person + (chance(theme == .devices ? 0.5 : 0.8) ? "1" : "2")
    }

    private mutating func person() -> String { people.randomElement(using: &random) ?? people[0] }

    private mutating func role() -> Role { Role.allCases.randomElement(using: &random) ?? .member }

    /// A name or, as often, whether every member may add.
    private mutating func write(_ authority: Authority<String>) -> Action<String, String, String> {
        chance(0.5)
            ? .set(authority, field: AddSetting.field, value: chance(0.7) ? AddSetting.everyone : "moderators")
            : .set(authority, field: chance(0.7) ? "name" : "description", value: "\(operations.count)")
    }

    private mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < probability
    }
}
