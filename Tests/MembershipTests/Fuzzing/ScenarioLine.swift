import Membership

/// A graph as a line of a scenario file: `moot membership resolve` reads it.
///
/// Names and values of random graphs hold nothing that JSON would have to escape.
struct ScenarioLine: CustomStringConvertible {
    let label: String
    let capacity: Int
    let operations: [Ledger.Operation]

    var description: String {
        let operations = operations.map(Self.object).joined(separator: ",")
        return "{\"label\":\(Self.quoted(label)),\"capacity\":\(capacity),\"ops\":[\(operations)]}"
    }

    private static func object(_ operation: Ledger.Operation) -> String {
        let fields =
            [
                ("id", quoted(operation.id)), ("author", quoted(operation.author)),
                ("type", quoted(type(operation.action))),
            ]
            + device(of: operation) + [("parents", list(operation.parents.map(quoted)))] + under(operation.action)
            + rest(of: operation.action)
        return "{" + fields.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }

    /// The device it was written on or, for a revocation, the one that is revoked.
    private static func device(of operation: Ledger.Operation) -> [(String, String)] {
        if case .revoke(_, let device, _) = operation.action { return [("device", quoted(device))] }
        return operation.device.map { [("device", quoted($0))] } ?? []
    }

    private static func type(_ action: Action<String, String, String>) -> String {
        switch action {
        case .create: "create"
        case .add: "add"
        case .invite: "invite"
        case .join: "join"
        case .decline: "decline"
        case .cancel: "cancel"
        case .remove: "remove"
        case .promote: "promote"
        case .demote: "demote"
        case .set: "set"
        case .ratify: "ratify"
        case .device: "device"
        case .revoke: "revoke"
        case .merge: "merge"
        case .leave: "leave"
        case .stepdown: "stepdown"
        }
    }

    private static func under(_ action: Action<String, String, String>) -> [(String, String)] {
        switch action.authority {
        case .acting?: [("under", quoted("acting"))]
        case .grant(let id, let slot)?: [("under", quoted("\(id)#\(slot)"))]
        case nil: []
        }
    }

    private static func rest(of action: Action<String, String, String>) -> [(String, String)] {
        switch action {
        case .add(_, let people): [("targets", list(people.map(quoted)))]
        case .invite(_, nil): [("code", "true")]
        case .invite(_, let person?), .remove(_, let person): [("target", quoted(person))]
        case .promote(_, let person, let role), .demote(_, let person, let role):
            [("target", quoted(person)), ("role", quoted(role.name))]
        case .join(let invite), .decline(let invite), .cancel(_, let invite): [("invite", quoted(invite))]
        case .set(_, let field, let value): [("field", quoted(field)), ("value", quoted(value))]
        case .ratify(_, let keep, let bans):
            [
                ("keep", list(keep.map { list([quoted($0.person), quoted($0.role.name)]) })),
                ("bans", list(bans.map(quoted))),
            ]
        case .revoke(let person, _, let pins):
            [("target", quoted(person)), ("pins", list(pins.map(quoted)))]
        case .create, .device, .merge, .leave, .stepdown: []
        }
    }

    private static func quoted(_ text: String) -> String { "\"\(text)\"" }

    private static func list(_ items: [String]) -> String { "[\(items.joined(separator: ","))]" }
}
