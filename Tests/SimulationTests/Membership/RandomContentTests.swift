import Foundation
import MembershipScenarios
import OperationLogFixtures
import Testing

@testable import Simulation

/// Random groups in which people also write: what counts of it is what the words of section 8 say, read a second time.
///
/// `MOOT_GRAPHS=20000 swift test --filter RandomContentTests` tries more of them.
@Suite("The naive judge and the resolver, of content")
struct RandomContentTests {
    private static let graphs = ProcessInfo.processInfo.environment["MOOT_GRAPHS"].flatMap { UInt64($0) } ?? 400
    private static let parts: UInt64 = 8

    @Test(arguments: 0..<parts as Range<UInt64>)
    func `agree, in any order, and name what decided`(part: UInt64) throws {
        var words: [String: Int] = [:]
        let each = Self.graphs / Self.parts
        for seed in part * each..<(part + 1) * each {
            let written = RandomContent(seed: seed)
            let line = try written.line(shuffled: false)
            let outcome = try Scenario(line: line).outcome()
            let expected = try PublishedContent(of: JSONDecoder().decode(PublishedCase.self, from: Data(line))).words()
            let found = try #require(outcome.content)
            #expect(
                Dictionary(uniqueKeysWithValues: found.map { ($0.id.text, $0.verdict.word) }) == expected,
                "seed \(seed)")
            let other = try Scenario(line: written.line(shuffled: true)).outcome()
            #expect(other.line(isExplained: true) == outcome.line(isExplained: true), "seed \(seed)")
            let void = Set(outcome.void.map(\.id))
            for case (_, .doesNotCount(let rule, let decider?)) in found {
                #expect((rule == "addition_void") == void.contains(decider), "seed \(seed): \(rule) by \(decider.text)")
            }
            for word in expected.values { words[word, default: 0] += 1 }
        }
        let all = ["moderator", "member", "not_a_member", "addition_void", "author_removed", "only_moderators"]
        // Who is a member by void operations alone is rare.
        for word in all where word != "addition_void" || Self.graphs >= 4_000 {
            #expect(words[word] != nil, "none is \(word)")
        }
    }
}

/// What people write in a random group, on heads of their choice.
private struct RandomContent {
    private let group: RandomActions
    private var content: [[String: Any]] = []
    private let seen: [String: [String]]
    private let shuffled: [Int]

    init(seed: UInt64) {
        group = RandomActions(seed: seed, count: 8 + Int(seed % 25), people: 3 + Int(seed % 4))
        var random = SplitMix64(seed: seed ^ 0x63)
        func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
        let ids = group.operations.map(\.id)
        for number in 0..<12 {
            let author = group.people[pick(group.people.count)]
            let device = "\(author)\(pick(2))"
            let earlier = content.filter { $0["device"] as? String == device }.compactMap { $0["id"] as? String }
            var written: [String: Any] = [
                "id": "c\(number)", "author": author, "device": device,
                "type": ["message", "edit", "file", "delete", "reaction", "pin"][pick(6)],
                "heads": Set((0...pick(2)).map { _ in ids[pick(ids.count)] }).sorted(),
            ]
            if !earlier.isEmpty, pick(8) > 0 {
                written["after"] = earlier[earlier.count - 1 - pick(min(2, earlier.count))]
            }
            content.append(written)
        }
        var seen: [String: [String]] = [:]
        for id in ids { seen[id] = (0..<pick(4)).map { _ in "c\(pick(12))" } }
        self.seen = seen
        shuffled = ids.indices.shuffled(using: &random)
    }

    /// The group and what was written in it, as a line of a scenario file.
    func line(shuffled isShuffled: Bool) throws -> [UInt8] {
        let order = isShuffled ? shuffled : Array(group.operations.indices)
        let operations = order.map { object(group.operations[$0]) }
        // What is expected is found out, not said.
        let nothing: [String: Any] = [
            "members": [:], "archived": false, "waitlist": [], "fields": [:], "void": [],
        ]
        let line: [String: Any] = [
            "capacity": group.capacity, "ops": operations, "content": content, "expect": nothing,
        ]
        return Array(try JSONSerialization.data(withJSONObject: line))
    }

    private func object(_ operation: RandomActions.Operation) -> [String: Any] {
        var fields: [String: Any] = ["id": operation.id, "author": operation.author, "parents": operation.parents]
        if let device = operation.device { fields["device"] = String(decoding: device, as: UTF8.self) }
        switch operation.action.authority {
        case .acting?: fields["under"] = "acting"
        case .grant(let id, let slot)?: fields["under"] = "\(id)#\(slot)"
        case .unreadable?, nil: break
        }
        let (type, rest) = Self.words(operation.action)
        fields["type"] = type
        if ["remove", "leave", "ratify", "revoke"].contains(type) { fields["seen"] = seen[operation.id] ?? [] }
        return fields.merging(rest) { $1 }
    }

    private static func words(_ action: NaiveAction<String, String>) -> (type: String, fields: [String: Any]) {
        switch action {
        case .create: ("create", [:])
        case .add(_, let targets): ("add", ["targets": targets])
        case .invite(_, let target?): ("invite", ["target": target])
        case .invite(_, nil): ("invite", ["code": true])
        case .join(let invite): ("join", ["invite": invite ?? "none"])
        case .decline(let invite): ("decline", ["invite": invite ?? "none"])
        case .cancel(_, let invite): ("cancel", ["invite": invite ?? "none"])
        case .remove(_, let target): ("remove", ["target": target])
        case .promote(_, let target, let role): ("promote", ["target": target, "role": "\(role)"])
        case .demote(_, let target, let role): ("demote", ["target": target, "role": "\(role)"])
        case .set(_, let field, let value):
            (
                "set",
                ["field": String(decoding: field, as: UTF8.self), "value": String(decoding: value, as: UTF8.self)]
            )
        case .ratify(_, let keep, let bans):
            ("ratify", ["keep": keep.map { ["\($0.person)", "\($0.role)"] }, "bans": bans])
        case .device: ("device", [:])
        case .revoke(let person, let device, let pins):
            ("revoke", ["target": person, "device": String(decoding: device, as: UTF8.self), "pins": pins])
        case .merge: ("merge", [:])
        case .leave: ("leave", [:])
        case .stepdown: ("stepdown", [:])
        }
    }
}
