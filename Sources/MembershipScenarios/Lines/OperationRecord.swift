import Membership

/// An operation as JSON has it: every field that some type has.
struct OperationRecord: Decodable {
    let id: Name
    let author: Name
    /// The device it was written on; for a revocation the device that is revoked, for there nobody asks on which it was
    /// written.
    let device: Name?
    let type: String
    let parents: [Name]
    let under: String?
    let invite: Name?
    let target: Name?
    /// Whether an invite is for whoever holds a code.
    let code: Bool?
    let targets: [Name]?
    let role: String?
    let field: String?
    let value: String?
    let keep: [KeptRecord]?
    let bans: [Name]?
    let pins: [Name]?
    /// Of what takes people out or revokes a device the last content that it leaves, of each device that wrote any.
    let seen: [Name]?
}

extension OperationRecord {
    /// The operation that is meant.
    func operation() throws(MalformedScenario) -> Scenario.Operation {
        Scenario.Operation(
            id: id, author: author, device: type == "revoke" ? nil : device, parents: parents, action: try action())
    }

    private func action() throws(MalformedScenario) -> Action<Name, Name, Name> {
        switch type {
        case "create": .create
        case "add": .add(authority, try needed(targets, "targets"))
        case "invite": .invite(authority, code == true ? nil : try needed(target, "target"))
        case "join": .join(answered)
        case "decline": .decline(answered)
        case "cancel": .cancel(authority, answered)
        case "remove": .remove(authority, try needed(target, "target"))
        case "promote": .promote(authority, try needed(target, "target"), try role(try needed(role, "role")))
        case "demote": .demote(authority, try needed(target, "target"), try role(try needed(role, "role")))
        case "set":
            .set(authority, field: try needed(field, "field"), value: try needed(value, "value"))
        case "ratify": .ratify(authority, keep: try kept(), bans: bans ?? [])
        case "device": .device
        case "revoke":
            .revoke(try needed(target, "target"), try needed(device, "device"), pins: pins ?? [])
        case "merge": .merge
        case "leave": .leave
        case "stepdown": .stepdown
        default: throw .unknownType(operation: id, type: type)
        }
    }

    /// What it acts under. An operation that names no grant names one it makes itself: none is in its own past, so it
    /// is void, by the rule that says so.
    private var authority: Authority<Name> {
        switch under {
        case "acting": .acting
        case let under?: GrantName(under).map { .grant($0.operation, slot: $0.slot) } ?? .grant(id, slot: 0)
        case nil: .grant(id, slot: 0)
        }
    }

    /// The invite it answers; itself, which is void likewise, if it names none.
    private var answered: Name { invite ?? id }

    private func kept() throws(MalformedScenario) -> [Kept<Name>] {
        var kept: [Kept<Name>] = []
        for record in keep ?? [] { kept.append(Kept(record.person, try role(record.role))) }
        return kept
    }

    private func role(_ word: String) throws(MalformedScenario) -> Role {
        guard let role = Role(name: word) else { throw .unknownRole(operation: id, role: word) }
        return role
    }

    private func needed<Value>(_ value: Value?, _ field: String) throws(MalformedScenario) -> Value {
        guard let value else { throw .incomplete(operation: id, field: field) }
        return value
    }
}

/// A person whom a ratification keeps, and the word for the role: a list of two.
struct KeptRecord: Decodable {
    let person: Name
    let role: String

    init(from decoder: any Decoder) throws {
        var pair = try decoder.unkeyedContainer()
        guard pair.count == 2 else {
            throw MalformedScenario.wrongKind(
                field: MalformedScenario.path(decoder.codingPath), expected: "a list of a person and a role")
        }
        person = try pair.decode(Name.self)
        role = try pair.decode(String.self)
    }
}
