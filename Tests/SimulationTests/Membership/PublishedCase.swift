import Foundation
import Testing

@testable import Simulation

/// A line of a scenario file with the result it must have.
struct PublishedCase: Decodable, Sendable, CustomTestStringConvertible {
    let label: String?
    let capacity: Int?
    let ops: [Line]
    let content: [PublishedContent.Line]?
    let expect: Expectation

    /// The result, as the file spells it.
    struct Expectation: Decodable, Hashable {
        let members: [String: String]
        let acting: String?
        let archived: Bool
        let waitlist: [String]
        let fields: [String: String]
        let void: [String]
        let content: [String: String]?
    }

    /// An operation.
    struct Line: Decodable {
        let id: String
        let author: String
        let device: String?
        let type: String
        let parents: [String]
        let under: String?
        let target: String?
        let code: Bool?
        let targets: [String]?
        let invite: String?
        let role: String?
        let field: String?
        let value: String?
        let keep: [[String]]?
        let bans: [String]?
        let pins: [String]?
        let seen: [String]?
    }

    struct Unreadable: Error {}

    var testDescription: String { label ?? "no label" }

    static func all(in file: URL) throws -> [PublishedCase] {
        try Data(contentsOf: file).split(separator: UInt8(ascii: "\n"))
            .map { try JSONDecoder().decode(PublishedCase.self, from: $0) }
    }

    /// The cases of the repository.
    static let all: [PublishedCase] = {
        do {
            return try ["", "-decided", "-devices", "-rules", "-content"].flatMap { name in
                let file = "../../../Fixtures/membership\(name).ndjson"
                return try all(in: URL(filePath: #filePath).appending(path: file).standardizedFileURL)
            }
        } catch {
            fatalError("the published cases cannot be read: \(error)")
        }
    }()

    /// The operations in causal order.
    func operations() throws -> [NaiveOperation<Name, Name>] {
        var rest = ops
        var sorted: [Line] = []
        var known: Set<String> = []
        while !rest.isEmpty {
            let ready = rest.filter { known.isSuperset(of: $0.parents) }
            guard !ready.isEmpty else { throw Unreadable() }
            sorted += ready
            known.formUnion(ready.map(\.id))
            rest.removeAll { known.contains($0.id) }
        }
        return try sorted.map { line in
            NaiveOperation(
                id: Name(line.id), author: Name(line.author),
                device: line.type == "revoke" ? nil : line.device.map { Array($0.utf8) },
                parents: line.parents.map(Name.init), action: try line.action())
        }
    }

    /// What an oracle says, spelled like the file.
    func spelled(_ judged: NaiveMembership<Name, Name>) throws -> Expectation {
        let fields = judged.registers.map { (String(decoding: $0, as: UTF8.self), String(decoding: $1, as: UTF8.self)) }
        return Expectation(
            members: Dictionary(uniqueKeysWithValues: judged.members.map { ("\($0.person)", "\($0.role)") }),
            acting: judged.actingAdmin.map { "\($0)" }, archived: judged.isArchived,
            waitlist: judged.waitlist.map(\.person).sorted().map { "\($0)" },
            fields: Dictionary(uniqueKeysWithValues: fields), void: judged.void.keys.sorted().map { "\($0)" },
            content: try content.map { _ in try PublishedContent(of: self).words() })
    }
}

extension PublishedCase.Line {
    fileprivate func action() throws -> NaiveAction<Name, Name> {
        switch type {
        case "create": .create
        case "add": .add(under: authority, targets: try required(targets).map(Name.init))
        case "invite": .invite(under: authority, target: code == true ? nil : Name(try required(target)))
        case "join": .join(invite: invite.map(Name.init))
        case "decline": .decline(invite: invite.map(Name.init))
        case "cancel": .cancel(under: authority, invite: invite.map(Name.init))
        case "remove": .remove(under: authority, target: Name(try required(target)))
        case "promote": .promote(under: authority, target: Name(try required(target)), role: try Self.role(role))
        case "demote": .demote(under: authority, target: Name(try required(target)), role: try Self.role(role))
        case "set":
            .set(under: authority, field: Array(try required(field).utf8), value: Array(try required(value).utf8))
        case "ratify":
            .ratify(
                under: authority,
                keep: try (keep ?? []).map { NaiveKeep(Name(try required($0.first)), try Self.role($0.last)) },
                bans: (bans ?? []).map(Name.init))
        case "device": .device
        case "revoke":
            .revoke(
                of: Name(try required(target)), device: Array(try required(device).utf8),
                pins: (pins ?? []).map(Name.init))
        case "merge": .merge
        case "leave": .leave
        case "stepdown": .stepdown
        default: throw PublishedCase.Unreadable()
        }
    }

    private var authority: NaiveAuthority<Name> {
        if under == "acting" { return .acting }
        guard let under, let sign = under.lastIndex(of: "#"), let slot = UInt64(under[under.index(after: sign)...])
        else { return .unreadable }
        return .grant(Name(String(under[..<sign])), slot: slot)
    }

    private func required<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw PublishedCase.Unreadable() }
        return value
    }

    private static func role(_ name: String?) throws -> NaiveRole {
        guard let role = NaiveRole.allCases.first(where: { "\($0)" == name }) else { throw PublishedCase.Unreadable() }
        return role
    }
}
