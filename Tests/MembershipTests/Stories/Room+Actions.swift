import Membership
import Testing

/// What people do. Everything may be said to come `after` some operations only, and to be done `under` a certain grant.
extension Room {
    @discardableResult
    mutating func add(
        _ people: String..., by author: String, under authority: Authority<OperationName>? = nil,
        after parents: [OperationName]? = nil,
        location: SourceLocation = #_sourceLocation
    ) -> OperationName {
        add(people, by: author, under: authority, after: parents, location: location)
    }

    @discardableResult
    mutating func add(
        _ people: [String], by author: String, under authority: Authority<OperationName>? = nil,
        after parents: [OperationName]? = nil,
        location: SourceLocation = #_sourceLocation
    ) -> OperationName {
        let words = "adds \(people.count > 5 ? "\(people.count) people" : people.joined(separator: " and "))"
        return write(
            author, words, after: parents, location: location, action: { .add($0, people) }, under: authority)
    }

    @discardableResult
    mutating func invite(
        _ person: String, by author: String, under authority: Authority<OperationName>? = nil,
        after parents: [OperationName]? = nil,
        location: SourceLocation = #_sourceLocation
    ) -> OperationName {
        write(
            author, "invites \(person)", after: parents, location: location, action: { .invite($0, person) },
            under: authority)
    }

    /// An invite by code.
    @discardableResult
    mutating func offer(
        by author: String, under authority: Authority<OperationName>? = nil, after parents: [OperationName]? = nil,
        location: SourceLocation = #_sourceLocation
    ) -> OperationName {
        write(
            author, "makes a code", after: parents, location: location, action: { .invite($0, nil) }, under: authority)
    }

    @discardableResult
    mutating func join(
        _ person: String, _ invite: OperationName, after parents: [OperationName]? = nil,
        location: SourceLocation = #_sourceLocation
    ) -> OperationName {
        write(person, "joins", after: parents, location: location, action: { _ in .join(invite) }, under: nil)
    }

    @discardableResult
    mutating func decline(
        _ person: String, _ invite: OperationName, after parents: [OperationName]? = nil,
        location: SourceLocation = #_sourceLocation
    ) -> OperationName {
        write(person, "declines", after: parents, location: location, action: { _ in .decline(invite) }, under: nil)
    }

    @discardableResult
    mutating func cancel(
        _ invite: OperationName, by author: String, under authority: Authority<OperationName>? = nil,
        after parents: [OperationName]? = nil,
        location: SourceLocation = #_sourceLocation
    ) -> OperationName {
        write(
            author, "cancels (\(invite))", after: parents, location: location, action: { .cancel($0, invite) },
            under: authority)
    }

    @discardableResult
    mutating func remove(
        _ person: String, by author: String, under authority: Authority<OperationName>? = nil,
        after parents: [OperationName]? = nil,
        location: SourceLocation = #_sourceLocation
    ) -> OperationName {
        write(
            author, "removes \(person)", after: parents, location: location, action: { .remove($0, person) },
            under: authority)
    }

    @discardableResult
    mutating func promote(
        _ person: String, to role: Role, by author: String, under authority: Authority<OperationName>? = nil,
        after parents: [OperationName]? = nil, location: SourceLocation = #_sourceLocation
    ) -> OperationName {
        write(
            author, "promotes \(person) to \(role)", after: parents, location: location,
            action: { .promote($0, person, role) }, under: authority)
    }

    @discardableResult
    mutating func demote(
        _ person: String, to role: Role, by author: String, under authority: Authority<OperationName>? = nil,
        after parents: [OperationName]? = nil, location: SourceLocation = #_sourceLocation
    ) -> OperationName {
        write(
            author, "demotes \(person) to \(role)", after: parents, location: location,
            action: { .demote($0, person, role) }, under: authority)
    }

    @discardableResult
    mutating func set(
        _ field: String, to value: String, by author: String, under authority: Authority<OperationName>? = nil,
        after parents: [OperationName]? = nil, as id: OperationName? = nil, location: SourceLocation = #_sourceLocation
    ) -> OperationName {
        write(
            author, "sets \(field) to \(value)", after: parents, as: id, location: location,
            action: { .set($0, field: field, value: value) }, under: authority)
    }

    @discardableResult
    mutating func ratify(
        keep: [Kept<String>] = [], ban: [String] = [], by author: String,
        under authority: Authority<OperationName>? = nil,
        after parents: [OperationName]? = nil, location: SourceLocation = #_sourceLocation
    ) -> OperationName {
        write(
            author, "ratifies", after: parents, location: location,
            action: { .ratify($0, keep: keep, bans: ban) }, under: authority)
    }

    @discardableResult
    mutating func leave(
        _ person: String, after parents: [OperationName]? = nil, location: SourceLocation = #_sourceLocation
    ) -> OperationName {
        write(person, "leaves", after: parents, location: location, action: { _ in .leave }, under: nil)
    }

    @discardableResult
    mutating func stepDown(
        _ person: String, after parents: [OperationName]? = nil, location: SourceLocation = #_sourceLocation
    ) -> OperationName {
        write(person, "steps down", after: parents, location: location, action: { _ in .stepdown }, under: nil)
    }

    @discardableResult
    mutating func device(
        of person: String, after parents: [OperationName]? = nil, location: SourceLocation = #_sourceLocation
    ) -> OperationName {
        write(person, "names a device", after: parents, location: location, action: { _ in .device }, under: nil)
    }

    /// The root of a person takes a device out, whoever passes that on.
    @discardableResult
    mutating func revoke(
        _ device: String, of person: String, pinning pins: OperationName..., by author: String,
        after parents: [OperationName]? = nil, location: SourceLocation = #_sourceLocation
    ) -> OperationName {
        write(
            author, "revokes \(device)", after: parents, location: location,
            action: { _ in .revoke(person, device, pins: pins) }, under: nil)
    }

    @discardableResult
    mutating func merge(
        by person: String, after parents: [OperationName]? = nil, location: SourceLocation = #_sourceLocation
    ) -> OperationName {
        write(person, "merges", after: parents, location: location, action: { _ in .merge }, under: nil)
    }

    @discardableResult
    mutating func create(
        by person: String, after parents: [OperationName]? = nil, location: SourceLocation = #_sourceLocation
    ) -> OperationName {
        write(person, "creates it again", after: parents, location: location, action: { _ in .create }, under: nil)
    }
}
