import Membership
import OperationLogFixtures

/// A graph such as people make who know what they may do and do it, in parts of a network that hear of each other late.
///
/// Each part has its own resolver and asks it who may do what, so most operations count where they were written; what
/// they become when the parts meet is what the laws are about. Now and then somebody lies: by a motif that breaks a
/// rule, or with any authority on any heads.
struct PlayedGraph {
    typealias Operation = Ledger.Operation
    typealias Resolver = MembershipResolver<String, String, String>

    private(set) var ledger = Ledger()
    /// How many members the group may have.
    let capacity: Int

    private var random: SplitMix64
    private let people = Array("ABCDEFGH").map(String.init)
    /// What each part of the network holds.
    private var parts: [Resolver] = []

    /// The operations, each after its parents.
    var operations: [Operation] { ledger.operations }

    /// - Parameter isHonest: whether nobody lies.
    init(seed: UInt64, isHonest: Bool = false) {
        random = SplitMix64(seed: ~seed)
        capacity = [3, 5, 256].randomElement(using: &random) ?? 5
        parts = [Self.resolver(capacity)]
        let founder = people[0]
        write(founder, .create, in: 0)
        write(founder, .add(.grant("0", slot: 0), Array(people[1...Int.random(in: 3...5, using: &random)])), in: 0)
        for person in people[1...2] {
            write(founder, .promote(.grant("0", slot: 0), person, chance(0.6) ? .admin : .moderator), in: 0)
        }
        let number = Int.random(in: 2...3, using: &random)
        parts = Array(repeating: parts[0], count: number)
        let motifs = Motif.allCases.shuffled(using: &random).prefix(3)
        let count = Int.random(in: 16...34, using: &random)
        var turn = 0
        while operations.count < count {
            turn += 1
            if !isHonest, turn % 8 == 0, let motif = motifs.dropFirst(turn / 8 - 1).first {
                play(motif, in: part())
            } else if chance(0.12) {
                meet()
            } else if !isHonest, chance(0.08) {
                lie(in: part())
            } else {
                act(in: part())
            }
        }
    }

    private static func resolver(_ capacity: Int) -> Resolver {
        Resolver(capacity: capacity, tieBreaker: Judgment.tieBreaker)
    }

    // MARK: - Playing by the rules

    /// Somebody does something they may do, as far as this part knows.
    private mutating func act(in part: Int) {
        for _ in 0..<6 {
            let author = person()
            let authority = parts[part].authorities(of: author).randomElement(using: &random)
            guard let action = action(of: author, under: authority, in: part) else { continue }
            // A name that nothing has: it is only tried.
            guard parts[part].voidReason(of: action, by: author, as: "tried") == nil else { continue }
            write(author, action, in: part)
            return
        }
        write(person(), .merge, in: part)
    }

    private mutating func action(
        of author: String, under authority: Authority<String>?, in part: Int
    ) -> Action<String, String, String>? {
        guard let authority else {
            let invites = invites(for: author)
            if let invite = invites.randomElement(using: &random), chance(0.7) {
                return chance(0.85) ? .join(invite) : .decline(invite)
            }
            return chance(0.15) ? (chance(0.6) ? .leave : .stepdown) : chance(0.3) ? .device : nil
        }
        switch Int.random(in: 0..<22, using: &random) {
        case 0..<4: return .add(authority, [person(), person()])
        case 4..<6: return .invite(authority, chance(0.4) ? nil : person())
        case 6..<9: return .remove(authority, person())
        case 9..<12: return .promote(authority, person(), chance(0.5) ? .admin : .moderator)
        case 12..<14: return .demote(authority, person(), chance(0.7) ? .member : .moderator)
        case 14: return .cancel(authority, invites(for: nil).randomElement(using: &random) ?? "0")
        case 15: return .set(authority, field: "name", value: "\(operations.count)")
        case 16..<18:
            return .set(authority, field: AddSetting.field, value: chance(0.8) ? AddSetting.everyone : "moderators")
        case 18: return .ratify(authority, keep: [Kept(person(), .member)], bans: chance(0.5) ? [person()] : [])
        case 19: return .stepdown
        case 20: return chance(0.5) ? .leave : .merge
        default: return .merge
        }
    }

    /// The invites that somebody could answer; all of them without a person.
    private func invites(for person: String?) -> [String] {
        operations.compactMap { operation in
            guard case .invite(_, let invited) = operation.action else { return nil }
            return person == nil || invited == nil || invited == person ? operation.id : nil
        }
    }

    // MARK: - Hearing of each other

    /// One part of the network hears of all that another one has.
    private mutating func meet() {
        let (from, to) = (part(), part())
        for operation in operations where parts[from].verdict(of: operation.id) != nil { parts[to].insert(operation) }
    }

    /// Writes an operation after all heads of a part.
    @discardableResult
    private mutating func write(_ author: String, _ action: Action<String, String, String>, in part: Int) -> String {
        write(author, action, after: parts[part].heads, in: part)
    }

    @discardableResult
    private mutating func write(
        _ author: String, _ action: Action<String, String, String>, after parents: [String], on device: String? = nil,
        in part: Int
    ) -> String {
        let device = device ?? author + (chance(0.8) ? "1" : "2")
        let operation = Operation(
            id: "\(operations.count)", author: author, device: device, parents: parents, action: action)
        ledger.append(operation)
        parts[part].insert(operation)
        return operation.id
    }

    // MARK: - Lying

    /// Somebody uses any authority on any heads that this part knows.
    private mutating func lie(in part: Int) {
        let known = operations.filter { parts[part].verdict(of: $0.id) != nil }
        guard let parent = known.randomElement(using: &random), let maker = known.randomElement(using: &random) else {
            return
        }
        let authority = Authority.grant(maker.id, slot: UInt64.random(in: 0...2, using: &random))
        guard let action = action(of: person(), under: chance(0.8) ? authority : .acting, in: part) else { return }
        write(person(), action, after: [parent.id], in: part)
    }

    /// A few operations by which somebody breaks a rule.
    private enum Motif: CaseIterable {
        case setting, invite, code, lateJoin, forgery, ratification, office, stranger, succession, own, theft, regret
    }

    private mutating func play(_ motif: Motif, in part: Int) {
        let founder = people[0]
        let root = Authority.grant("0", slot: 0)
        let (one, other) = (people[Int.random(in: 1...2, using: &random)], people[3])
        let old = parts[part].heads
        switch motif {
        case .setting:
            let promotion = write(founder, .promote(root, one, .admin), after: old, in: part)
            write(founder, chance(0.5) ? .remove(root, one) : .demote(root, one, .member), in: part)
            let setting = write(
                one, .set(.grant(promotion, slot: 1), field: AddSetting.field, value: AddSetting.everyone),
                after: [promotion], in: part)
            write(other, .add(.grant("1", slot: 3), [person()]), after: [setting], in: part)
        case .invite:
            let promotion = write(founder, .promote(root, one, .moderator), after: old, in: part)
            let invite = write(one, .invite(.grant(promotion, slot: 1), people[7]), after: [promotion], in: part)
            write(founder, .remove(root, one), after: [invite], in: part)
            write(people[7], .join(invite), after: [invite], in: part)
            write(people[6], chance(0.5) ? .join(invite) : .decline(invite), after: [invite], in: part)
            let void = write(people[6], .invite(.grant("1", slot: 1), people[6]), after: [invite], in: part)
            write(people[6], .join(void), after: [void], in: part)
        case .code:
            let invite = write(founder, .invite(root, nil), after: old, in: part)
            write(people[6], .join(invite), after: [invite], in: part)
            write(people[7], .join(invite), after: [invite], in: part)
            write(other, .decline(invite), after: [invite], in: part)
        case .lateJoin:
            let invite = write(founder, .invite(root, people[7]), after: old, in: part)
            let end = write(people[7], .decline(invite), after: [invite], in: part)
            if chance(0.5) { write(founder, .cancel(root, invite), after: [invite], in: part) }
            write(people[7], .join(invite), after: [end], in: part)
            write(people[7], .join(invite), after: old, in: part)
            let void = write(other, .invite(.grant("1", slot: 3), people[6]), after: old, in: part)
            write(people[6], .join(void), after: [void], in: part)
        case .forgery:
            write(one, .add(.grant("nowhere", slot: 0), [other]), in: part)
            write(one, .add(root, [other]), in: part)
            let forged = write(other, .promote(.grant("1", slot: 3), one, .admin), in: part)
            write(one, .add(.grant(forged, slot: 1), [other]), in: part)
            write(other, .create, in: part)
        case .ratification:
            write(founder, .ratify(root, keep: [Kept("Z", .member)], bans: []), in: part)
            write(founder, .ratify(root, keep: [Kept(other, .admin)], bans: []), in: part)
            write(founder, .ratify(root, keep: [], bans: [founder]), in: part)
        case .office:
            write(one, .set(.acting, field: "name", value: ""), in: part)
            write(founder, .promote(root, other, .founder), in: part)
            let promotion = write(founder, .promote(root, one, .moderator), in: part)
            write(one, .remove(.grant(promotion, slot: 1), founder), in: part)
            write(founder, .demote(root, one, .admin), in: part)
        case .stranger:
            write("Y", .leave, in: part)
            write(founder, .remove(root, "Y"), in: part)
            write(other, .invite(.grant("1", slot: 3), "Y"), in: part)
        case .succession:
            let leave = write(founder, .stepdown, after: old, in: part)
            let acting = Self.state(of: ledger, after: leave, capacity: capacity).actingAdmin
            if let acting {
                write(acting, .set(.acting, field: "name", value: "x"), after: [leave], in: part)
                write(one, .set(.acting, field: "name", value: "y"), after: [leave], in: part)
                write(founder, .remove(root, acting), after: [leave], in: part)
            }
        case .own:
            write(founder, chance(0.5) ? .demote(root, founder, .member) : .remove(root, founder), in: part)
            write(one, .stepdown, in: part)
            write(one, .leave, after: old, in: part)
        case .theft: steal(from: one, other, after: old, in: part)
        case .regret:
            // Somebody who is out takes back what the remover had seen.
            let promotion = write(founder, .promote(root, one, .admin), after: old, in: part)
            let addition = write(
                one, .add(.grant(promotion, slot: 1), [person()]), after: [promotion], on: one + "1", in: part)
            let removal = write(founder, .remove(root, one), after: [chance(0.8) ? addition : promotion], in: part)
            let hasSeen = chance(0.5)
            write(
                person(), .revoke(one, one + "1", pins: hasSeen ? [] : [removal]),
                after: hasSeen ? [removal] : [addition], in: part)
            if !hasSeen { write(person(), .revoke(one, one + "1", pins: []), after: [addition], in: part) }
        }
    }

    /// A thief writes on the second device of somebody, who has it revoked, perhaps in two places and with other pins
    /// in each.
    private mutating func steal(from owner: String, _ other: String, after old: [String], in part: Int) {
        let founder = people[0]
        let root = Authority.grant("0", slot: 0)
        let stolen = owner + "2"
        let promotion = write(founder, .promote(root, owner, .admin), after: old, in: part)
        let own = write(
            owner, .promote(.grant(promotion, slot: 1), other, .moderator), after: [promotion], on: stolen, in: part)
        let invite = write(founder, .invite(root, owner), after: [promotion], in: part)
        let forged = write(
            owner, .remove(.grant(promotion, slot: 1), other), after: [own, invite], on: stolen, in: part)
        write(other, .add(.grant(own, slot: 1), [person()]), after: [own], in: part)
        let last: [Action<String, String, String>] = [.leave, .stepdown, .join(invite), .decline(invite)]
        let departure = write(
            owner, last.randomElement(using: &random) ?? .leave, after: [forged], on: stolen, in: part)
        write(owner, .set(.grant(promotion, slot: 1), field: "name", value: "x"), after: [departure], in: part)
        write(person(), .revoke(owner, stolen, pins: chance(0.5) ? [own] : []), after: [departure], in: part)
        if chance(0.3) { write(person(), .revoke(owner, stolen, pins: [forged]), after: [departure], in: part) }
    }

    private static func state(
        of ledger: Ledger, after head: String, capacity: Int
    ) -> MembershipState<String, String> {
        guard let number = ledger.number(of: head) else { return resolver(capacity).state }
        var resolver = resolver(capacity)
        for operation in ledger.history(of: number) + [ledger.operations[number]] { resolver.insert(operation) }
        return resolver.state
    }

    private mutating func part() -> Int { Int.random(in: 0..<parts.count, using: &random) }

    private mutating func person() -> String { people.randomElement(using: &random) ?? people[0] }

    private mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < probability
    }
}
