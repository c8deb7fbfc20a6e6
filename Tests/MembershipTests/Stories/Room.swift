import Membership
import OperationLogFixtures
import Testing

/// A group in which people do things, told from the beginning.
///
/// An operation follows all heads unless the story says after which operations its author wrote it, and is done under
/// the best grant that the author had there unless the story says under which. Whatever is told is also judged in full,
/// and once more in another order of arrival; a story in which these differ fails.
struct Room {
    typealias Operation = MembershipOperation<OperationName, String, String>

    private(set) var operations: [Operation] = []
    /// The device on which everything is written that is told inside ``using(_:_:)``.
    private var usedDevice: String?
    private(set) var resolver: MembershipResolver<OperationName, String, String>
    private let capacity: Int

    /// The operation that began it all.
    let creation: OperationName

    /// A group of which somebody is the founder.
    init(founder: String = "Alice", capacity: Int = 256) {
        self.capacity = capacity
        resolver = MembershipResolver(capacity: capacity, tieBreaker: Judgment.tieBreaker)
        creation = "0. \(founder) creates the group"
        tell(Operation(id: creation, author: founder, parents: [], action: .create))
    }

    /// Adds an operation to the story.
    ///
    /// - Parameters:
    ///   - words: what its author does, for its name.
    ///   - parents: after which operations; all heads unless the story says otherwise.
    ///   - name: its name, where one must be smaller than another.
    mutating func write(
        _ author: String, _ words: String, after parents: [OperationName]?, as name: OperationName? = nil,
        location: SourceLocation,
        action: (Authority<OperationName>) -> Action<OperationName, String, String>,
        under authority: Authority<OperationName>?
    ) -> OperationName {
        let parents = parents ?? resolver.heads
        let id = name ?? "\(operations.count). \(author) \(words)"
        let authority = authority ?? bestAuthority(of: author, after: parents)
        tell(
            Operation(
                id: id, author: author, device: usedDevice, parents: parents, action: action(authority)),
            location)
        return id
    }

    /// Tells what is written on one device.
    mutating func using<Result>(_ device: String, _ story: (inout Room) -> Result) -> Result {
        usedDevice = device
        defer { usedDevice = nil }
        return story(&self)
    }

    private mutating func tell(_ operation: Operation, _ location: SourceLocation = #_sourceLocation) {
        operations.append(operation)
        #expect(resolver.insert(operation) == .inserted, sourceLocation: location)
        // So that what comes next must forget what was found; the one below is asked once, at the end.
        resolver.settle()
        let judgment = Judgment(resolver, of: operations)
        let full = MembershipResolver(evaluating: operations, capacity: capacity, tieBreaker: Judgment.tieBreaker)
        #expect(judgment == Judgment(full, of: operations), "judged in full", sourceLocation: location)
        var random = SplitMix64(seed: UInt64(operations.count))
        let reordered = Trial.resolver(
            after: Shrinking.reordered(operations, using: &random), capacity: capacity)
        #expect(judgment == Judgment(reordered, of: operations), "told in another order", sourceLocation: location)
    }

    /// The best that somebody had in a past, else the best that an operation there ever gave them, else the founder's
    /// grant.
    private func bestAuthority(of person: String, after parents: [OperationName]) -> Authority<OperationName> {
        let past = self.past(of: parents)
        var before = MembershipResolver<OperationName, String, String>(tieBreaker: Judgment.tieBreaker)
        for operation in past { before.insert(operation) }
        if let best = before.authorities(of: person).first { return best }
        let grants = past.flatMap(Self.grants).filter { $0.holder == person }
        let best = grants.max { $0.role < $1.role }
        return best.map { .grant($0.operation, slot: $0.slot) } ?? .grant(creation, slot: 0)
    }

    /// The operations before a new one, in the order in which they were told.
    private func past(of parents: [OperationName]) -> [Operation] {
        var past = Set(parents)
        for operation in operations.reversed() where past.contains(operation.id) { past.formUnion(operation.parents) }
        return operations.filter { past.contains($0.id) }
    }

    private static func grants(of operation: Operation) -> [(
        operation: OperationName, slot: UInt64, holder: String, role: Role
    )] {
        let acting: [(slot: UInt64, holder: String, role: Role)] =
            operation.action.authority == .acting ? [(0, operation.author, .admin)] : []
        let made: [(slot: UInt64, holder: String, role: Role)] =
            switch operation.action {
            case .create: [(0, operation.author, .founder), (1, operation.author, .member)]
            case .join: [(0, operation.author, .member)]
            case .add(_, let people): people.enumerated().map { (UInt64($0) + 1, $1, .member) }
            case .ratify(_, let keep, _): keep.enumerated().map { (UInt64($0) + 1, $1.person, $1.role) }
            case .promote(_, let person, let role), .demote(_, let person, let role): [(1, person, role)]
            case .invite, .decline, .cancel, .remove, .set, .device, .revoke, .merge, .leave, .stepdown: []
            }
        return (acting + made).map { (operation.id, $0.slot, $0.holder, $0.role) }
    }
}
