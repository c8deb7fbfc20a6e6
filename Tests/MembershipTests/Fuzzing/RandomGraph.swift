import Membership
import OperationLogFixtures

/// A graph such as liars and latecomers make: forged authority, old parents, forks, operations about strangers.
struct RandomGraph {
    typealias Operation = MembershipOperation<String, String>

    /// A grant that an operation of the graph makes, as the author of a later one may name it.
    struct Made {
        let operation: Int
        let slot: UInt64
        let holder: String
        let tier: Tier
        let depth: Int
    }

    /// What a graph has most of.
    private enum Theme: CaseIterable {
        case mixed, duel, succession, consent, ratification
    }

    /// The operations, each after its parents.
    private(set) var operations: [Operation] = []
    /// Every grant, in the order of the operations.
    private(set) var grants: [Made] = []
    private(set) var depths: [Int] = []
    /// What came before each operation.
    private(set) var pasts: [Set<Int>] = []

    private var random: SplitMix64
    private let theme: Theme
    private let people: [String]
    private let honesty: Double
    /// The last operation of the founding, which many have seen and nothing after it.
    private var founded = 0
    private var invites: [Int] = []

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        theme = Theme.allCases.randomElement(using: &random) ?? .mixed
        let count = Int.random(in: 3...8, using: &random)
        people = Array("ABCDEFGH".map(String.init).shuffled(using: &random).prefix(count))
        honesty = [0.9, 0.7, 0.4].randomElement(using: &random) ?? 0.7
        let founder: Authority<String> = .grant("0", slot: 0)
        append(author: people[0], parents: [], .create)
        append(author: people[0], parents: [0], .add(founder, Array(people.dropFirst().prefix(4))))
        for person in people.dropFirst().prefix(Int.random(in: 1...3, using: &random)) {
            let tier: Tier = chance(0.7) ? .admin : .moderator
            append(author: people[0], parents: [operations.count - 1], .promote(founder, person, tier))
        }
        founded = operations.count - 1
        let size = operations.count + Int.random(in: 3...24, using: &random)
        while operations.count < size { grow() }
    }

    // MARK: - Growing

    private mutating func grow() {
        // Mostly somebody who was given authority uses it, having seen at least that.
        let known = grants.filter { $0.tier >= .moderator }.randomElement(using: &random)
        let author = chance(honesty) ? known?.holder ?? person() : person()
        let parents = chosenParents(beyond: known?.operation ?? 0)
        let past = parents.reduce(into: Set(parents)) { $0.formUnion(pasts[$1]) }
        append(author: author, parents: parents, chosenAction(by: author, past: past))
    }

    /// All heads, or what somebody saw who heard of a deed and of little else.
    private mutating func chosenParents(beyond seen: Int) -> [Int] {
        let named = Set(operations.flatMap(\.parents))
        if chance(0.35) { return operations.indices.filter { !named.contains(operations[$0].id) } }
        if seen <= founded, chance(0.5) { return [founded] }
        let later = operations.indices.filter { $0 == seen || pasts[$0].contains(seen) }
        var parents = [later.randomElement(using: &random) ?? seen]
        if chance(0.3) { parents.append(Int.random(in: 0..<operations.count, using: &random)) }
        return Array(Set(parents)).sorted()
    }

    private mutating func chosenAction(by author: String, past: Set<Int>) -> Action<String, String> {
        let authority = chosenAuthority(of: author, past: past)
        switch theme {
        case .duel where chance(0.7):
            return chance(0.6) ? .remove(authority, rival()) : .promote(authority, person(), .admin)
        case .succession where chance(0.4): return chance(0.7) ? .leave : .stepdown
        case .consent where chance(0.6): return consent(authority)
        case .ratification where chance(0.3): return ratification(authority)
        case .mixed, .duel, .succession, .consent, .ratification: break
        }
        switch Int.random(in: 0..<17, using: &random) {
        case 0..<2: return .add(authority, [person(), person()])
        case 2..<6, 16: return .remove(authority, rival())
        case 6..<9: return .promote(authority, person(), tier())
        case 9: return .demote(authority, person(), tier())
        case 10: return .set(authority, field: "name", value: "\(operations.count)")
        case 11: return ratification(authority)
        case 12: return consent(authority)
        case 13: return .leave
        case 14: return .stepdown
        default: return chance(0.5) ? .merge : .device
        }
    }

    private mutating func chosenAuthority(of author: String, past: Set<Int>) -> Authority<String> {
        if chance(theme == .succession ? 0.3 : 0.05) { return .acting }
        let seen = grants.filter { past.contains($0.operation) && $0.tier >= .moderator }
        let own = seen.filter { $0.holder == author }
        let candidates = chance(0.05) ? grants : own.isEmpty ? seen : own
        guard let grant = candidates.randomElement(using: &random) else { return .acting }
        return .grant(operations[grant.operation].id, slot: grant.slot)
    }

    private mutating func consent(_ authority: Authority<String>) -> Action<String, String> {
        guard let invite = invites.randomElement(using: &random), chance(0.7) else {
            return .invite(authority, person())
        }
        let id = operations[invite].id
        return switch Int.random(in: 0..<5, using: &random) {
        case 0..<3: .join(id)
        case 3: .decline(id)
        default: .cancel(authority, id)
        }
    }

    private mutating func ratification(_ authority: Authority<String>) -> Action<String, String> {
        let keep = (0..<Int.random(in: 0...3, using: &random)).map { _ in Kept(person(), chance(0.8) ? .member : tier())
        }
        let bans = (0..<Int.random(in: 0...2, using: &random)).map { _ in person() }
        return .ratify(authority, keep: keep, bans: bans)
    }

    private mutating func append(author: String, parents: [Int], _ action: Action<String, String>) {
        let number = operations.count
        // Who joins is mostly who was asked.
        var author = author
        if case .join(let id) = action, case .invite(_, let asked)? = operations.first(where: { $0.id == id })?.action,
            chance(0.8)
        {
            author = asked
        }
        operations.append(
            Operation(id: "\(number)", author: author, parents: parents.map { operations[$0].id }, action: action))
        let past = parents.reduce(into: Set(parents)) { $0.formUnion(pasts[$1]) }
        let depth = (parents.map { depths[$0] }.max() ?? -1) + 1
        pasts.append(past)
        depths.append(depth)
        func make(_ slot: UInt64, _ holder: String, _ tier: Tier, depth: Int) {
            grants.append(Made(operation: number, slot: slot, holder: holder, tier: tier, depth: depth))
        }
        if action.authority == .acting { make(0, author, .admin, depth: depth) }
        switch action {
        case .create:
            make(0, author, .founder, depth: depth)
            make(1, author, .member, depth: depth)
        case .add(_, let people):
            for (index, person) in people.enumerated() { make(UInt64(index) + 1, person, .member, depth: depth) }
        case .promote(_, let person, let tier), .demote(_, let person, let tier): make(1, person, tier, depth: depth)
        case .ratify(_, let keep, _):
            for (index, kept) in keep.enumerated() { make(UInt64(index) + 1, kept.person, kept.tier, depth: depth) }
        case .join(let invite): make(0, author, .member, depth: Int(invite).map { depths[$0] } ?? depth)
        case .invite: invites.append(number)
        case .decline, .cancel, .remove, .set, .device, .merge, .leave, .stepdown: break
        }
    }

    /// Mostly somebody who was given authority, so that removing him changes something.
    private mutating func rival() -> String {
        let high = grants.dropFirst(2).filter { $0.tier >= .moderator }.randomElement(using: &random)
        return chance(0.7) ? high?.holder ?? person() : person()
    }

    private mutating func person() -> String { people.randomElement(using: &random) ?? people[0] }

    private mutating func tier() -> Tier { Tier.allCases.randomElement(using: &random) ?? .member }

    private mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < probability
    }
}
