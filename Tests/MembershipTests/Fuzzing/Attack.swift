import Membership
import OperationLogFixtures

/// Up to five operations that somebody hostile, and people they made up, write into the history of an honest group, on
/// heads and under authority of their choice.
///
/// Who is hostile was taken out by others, or is a plain member who never was more. What moderators and admins may do
/// to those below them is no hole, and what the rules admit (Protocol.md, "What it does not do") is left out: leavers,
/// two who use one code, devices that are revoked, the places of people whom nobody confirmed, and what somebody does
/// as acting admin whom honest people left the office to in a part of the network.
struct Attack {
    typealias Operation = Ledger.Operation

    /// What nobody hostile may bring about.
    enum Hole: String, CaseIterable {
        /// Somebody hostile has more than before, or whom they made up has more than a member could give.
        case gain
        /// Somebody honest whose place was confirmed has lost it, or their role.
        case lockout
        /// Somebody honest has more than before, or is in, and nobody who may has brought that about.
        case favor
        /// An honest operation counts no more, or again.
        case verdict
        /// Somebody else acts as admin.
        case succession
        /// A register has another value.
        case register
        /// There are members, and nobody may act.
        case orphans
    }

    /// What happened before.
    let history: [Operation]
    /// Who is hostile; then those they made up.
    let hostile: [String]
    let capacity: Int
    private(set) var operations: [Operation] = []
    /// Whether the hostile one is out, and not a plain member.
    private let isOut: Bool
    private let everyMemberAdded: Bool

    /// What somebody writes who is taken for a plain member, whatever they are.
    init(on history: [Operation], by hostile: String, _ operations: [Operation], capacity: Int = 256) {
        (self.history, self.hostile, self.operations) = (history, [hostile, "S0", "S1"], operations)
        self.capacity = capacity
        (isOut, everyMemberAdded) = (false, false)
    }

    /// - Returns: nil where nobody in that history is hostile enough.
    init?(seed: UInt64) {
        let graph = PlayedGraph(seed: seed, isHonest: true)
        var random = SplitMix64(seed: seed &* 0x9E37_79B9_7F4A_7C15)
        (history, capacity) = (graph.operations, graph.capacity)
        let resolver = Trial.resolver(after: history, capacity: capacity)
        guard let hostile = Self.suspects(in: history, resolver).randomElement(using: &random) else { return nil }
        self.hostile = [hostile.person, "S0", "S1"]
        isOut = hostile.isOut
        everyMemberAdded = history.contains { operation in
            if case .set(_, AddSetting.field, AddSetting.everyone) = operation.action { true } else { false }
        }
        for _ in 0..<Int.random(in: 1...5, using: &random) { operations.append(write(using: &random)) }
        guard !operations.contains(where: actsByRight) else { return nil }
    }

    /// Whether an operation is one of an acting admin who is that in its honest past.
    private func actsByRight(_ operation: Operation) -> Bool {
        guard operation.action.authority == .acting else { return false }
        let all = Dictionary((history + operations).map { ($0.id, $0) }) { first, _ in first }
        var past: Set<String> = []
        var rest = operation.parents
        while let id = rest.popLast() {
            if past.insert(id).inserted { rest += all[id]?.parents ?? [] }
        }
        let honest = Trial.resolver(after: history.filter { past.contains($0.id) }, capacity: capacity)
        return honest.state.actingAdmin == operation.author
    }

    /// Those whom others took out, and those who never were more than members; nobody who gave something up.
    private static func suspects(
        in history: [Operation], _ resolver: MembershipResolver<String, String, String>
    ) -> [(person: String, isOut: Bool)] {
        let state = resolver.state
        return resolver.holders.compactMap { person in
            let own = history.filter { $0.author == person }.map(\.action)
            guard state.actingAdmin != person, !own.contains(.leave), !own.contains(.stepdown) else { return nil }
            let granted = resolver.grantOutcomes(for: person)
            if resolver.grants(of: person).isEmpty {
                return granted.contains { !$0.isVoid } && !isInvitedAgain(person, in: history, resolver)
                    ? (person, true) : nil
            }
            return granted.allSatisfy { $0.role == .member } ? (person, false) : nil
        }
    }

    /// Whether somebody who knew that a person was taken out has invited them.
    private static func isInvitedAgain(
        _ person: String, in history: [Operation], _ resolver: MembershipResolver<String, String, String>
    ) -> Bool {
        let removals = history.filter { operation in
            switch operation.action {
            case .remove(_, person): true
            case .ratify(_, _, let bans): bans.contains(person)
            default: false
            }
        }
        return history.contains { operation in
            guard case .invite(_, let invited) = operation.action, invited == nil || invited == person else {
                return false
            }
            return removals.contains { resolver.isKnown($0.id, to: operation.id) }
        }
    }

    // MARK: - Writing

    private func write(using random: inout SplitMix64) -> Operation {
        let known = history + operations
        // Those whom they made up can write once something names them.
        let author = hostile.prefix(operations.isEmpty ? 1 : 3).randomElement(using: &random) ?? hostile[0]
        var parents = Set([known.randomElement(using: &random)?.id ?? "0"])
        if Bool.random(using: &random), let other = known.randomElement(using: &random) { parents.insert(other.id) }
        if let last = operations.last, Bool.random(using: &random) { parents.insert(last.id) }
        return Operation(
            id: "h\(operations.count)", author: author, device: author + "9", parents: parents.sorted(),
            action: action(by: author, known, using: &random))
    }

    private func action(
        by author: String, _ known: [Operation], using random: inout SplitMix64
    ) -> Action<String, String, String> {
        let own = known.flatMap { operation in Self.grants(by: operation).filter { $0.holder == author }.map(\.grant) }
        let authority = Int.random(in: 0..<8, using: &random) == 0 ? .acting : own.randomElement(using: &random)
        let people = hostile + known.map(\.author)
        let person = people.randomElement(using: &random) ?? author
        let invites = known.filter { if case .invite(_, .some) = $0.action { true } else { false } }
        guard let authority else {
            return invites.randomElement(using: &random).map { .join($0.id) } ?? .device
        }
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<5: return .add(authority, [hostile[1], hostile[2]].shuffled(using: &random))
        case 5: return .add(authority, [person])
        case 6: return .invite(authority, person)
        case 7: return .join(invites.randomElement(using: &random)?.id ?? "0")
        case 8..<11: return .remove(authority, person)
        case 11..<14: return .promote(authority, person, Bool.random(using: &random) ? .admin : .moderator)
        case 14: return .demote(authority, person, .member)
        case 15: return .set(authority, field: "name", value: "captured")
        case 16: return .set(authority, field: AddSetting.field, value: AddSetting.everyone)
        case 17: return .ratify(authority, keep: [Kept(hostile[1], .moderator)], bans: [person])
        case 18: return .cancel(authority, invites.randomElement(using: &random)?.id ?? "0")
        default: return .merge
        }
    }

    /// The grants that an operation names, with their holders.
    private static func grants(by operation: Operation) -> [(grant: Authority<String>, holder: String)] {
        let holders: [(Int, String)] =
            switch operation.action {
            case .create: [(0, operation.author), (1, operation.author)]
            case .join: [(0, operation.author)]
            case .add(_, let people): people.enumerated().map { ($0 + 1, $1) }
            case .promote(_, let person, _), .demote(_, let person, _): [(1, person)]
            case .ratify(_, let keep, _): keep.enumerated().map { ($0 + 1, $1.person) }
            case .invite, .decline, .cancel, .remove, .set, .device, .revoke, .merge, .leave, .stepdown: []
            }
        return holders.map { (.grant(operation.id, slot: UInt64($0.0)), $0.1) }
    }

    /// The role of a grant that an operation names; nil if it names none there.
    private static func role(ofGrantBy operation: Operation, slot: UInt64) -> Role? {
        switch operation.action {
        case .create: slot == 0 ? .founder : .member
        case .promote(_, _, let role), .demote(_, _, let role): slot == 0 ? .admin : role
        case .ratify(_, let keep, _):
            slot == 0 ? .admin : keep.indices.contains(Int(slot) - 1) ? keep[Int(slot) - 1].role : nil
        case .add, .invite, .join, .decline, .cancel, .remove, .set, .device, .revoke, .merge, .leave, .stepdown:
            slot == 0 && operation.action.authority == .acting ? .admin : .member
        }
    }

    // MARK: - Judging

    /// What some of the operations, all those of the history among them, bring about that they must not; and how many
    /// of the hostile ones count.
    ///
    /// - Parameter operations: hostile ones are told by their names.
    func holes(in operations: [Operation]) -> (holes: [Hole], effective: Int) {
        let honest = operations.filter { !$0.id.hasPrefix("h") }
        var resolver = Trial.resolver(after: honest, capacity: capacity)
        resolver.settle()
        let before = Judgment(resolver, of: honest)
        let confirmed = Self.confirmed(in: honest, resolver)
        for operation in operations where operation.id.hasPrefix("h") { resolver.insert(operation) }
        resolver.settle()
        let after = Judgment(resolver, of: honest)
        let effective = operations.count { $0.id.hasPrefix("h") && resolver.verdict(of: $0.id) == .effective }
        return (Hole.allCases.filter { isOpen($0, before, after, honest, confirmed) }, effective)
    }

    /// The people with a grant that somebody made, or saw, who decides.
    private static func confirmed(
        in history: [Operation], _ resolver: MembershipResolver<String, String, String>
    ) -> Set<String> {
        let decisions = history.filter { operation in
            guard resolver.verdict(of: operation.id) == .effective else { return false }
            switch operation.action.authority {
            case .acting: return true
            case .grant(let maker, let slot):
                let made = history.first { $0.id == maker }
                return made.flatMap { role(ofGrantBy: $0, slot: slot) } ?? .member >= .moderator
            case nil: return operation.action == .create
            }
        }
        return Set(
            resolver.holders.filter { person in
                resolver.grants(of: person).contains { maker in
                    decisions.contains { $0.id == maker || resolver.isKnown(maker, to: $0.id) }
                }
            })
    }

    private func isOpen(
        _ hole: Hole, _ before: Judgment, _ after: Judgment, _ honest: [Operation], _ confirmed: Set<String>
    ) -> Bool {
        let (old, new) = (before.state, after.state)
        let others = Set((old.members + old.waitlist + new.members + new.waitlist).map(\.person)).subtracting(hostile)
        func role(_ person: String, _ state: MembershipState<String, String>) -> Int {
            ((state.members + state.waitlist).first { $0.person == person }?.role.rawValue).map { Int($0) } ?? -1
        }
        switch hole {
        case .gain:
            if role(hostile[0], new) > role(hostile[0], old) { return true }
            let most = isOut ? -1 : Int(Role.member.rawValue)
            return hostile.dropFirst().contains { role($0, new) > most }
        case .lockout:
            return old.members.contains { member in
                !hostile.contains(member.person) && confirmed.contains(member.person)
                    && !new.members.contains { $0.person == member.person && $0.role >= member.role }
            }
        case .favor:
            return others.contains { person in
                let (was, has) = (role(person, old), role(person, new))
                // A member may add whom they like, where every member may, or once might.
                return has > was && !(!isOut && everyMemberAdded && was < 0 && has == Int(Role.member.rawValue))
            }
        case .verdict:
            return zip(zip(before.verdicts, after.verdicts), honest).contains { verdicts, operation in
                operation.author != hostile[0] && (verdicts.0 == .effective) != (verdicts.1 == .effective)
            }
        case .succession: return old.actingAdmin != new.actingAdmin
        case .register: return old.registers != new.registers
        case .orphans:
            return !new.members.isEmpty && new.actingAdmin == nil && !new.members.contains { $0.role >= .admin }
        }
    }
}
