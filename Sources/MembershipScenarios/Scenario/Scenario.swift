import Membership

/// A membership lane with symbolic names: what a line of a scenario file asks about.
///
/// The operations are exactly one creation without parents and operations that follow it, each after its parents.
public struct Scenario: Sendable {
    /// An operation named by people, not by hashes.
    public typealias Operation = MembershipOperation<Name, Name, Name>

    /// The most members the group may have.
    public let capacity: Int
    /// The operations, each after its parents.
    public let operations: [Operation]
    /// What was written in the group, in the order of the line; nil if the line does not ask about content.
    let content: [ScenarioContent]?
    /// What each operation that takes people out or revokes a device names of the content.
    let seen: [Name: [Name]]

    /// Reads one line: an object with `ops` in any order and perhaps a `capacity` and `content`. Fields it does not
    /// know are skipped, so `label` and `expect` are.
    ///
    /// - Throws: ``MalformedScenario`` with the first thing found wrong.
    public init(line: [UInt8]) throws(MalformedScenario) {
        let line = try ScenarioLine(decoding: line)
        capacity = line.capacity ?? Self.defaultCapacity
        guard capacity >= 0 else { throw .negativeCapacity(capacity) }
        var operations: [Operation] = []
        operations.reserveCapacity(line.ops.count)
        for operation in line.ops { operations.append(try operation.operation()) }
        self.operations = try operations.inCausalOrder()
        content = try line.content?.content(among: Set(operations.map(\.id)))
        seen = Dictionary(line.ops.map { ($0.id, $0.seen ?? []) }) { first, _ in first }
        try checkRoot()
    }

    /// How many operations it has, with its content.
    public var operationCount: Int { operations.count + (content?.count ?? 0) }

    private static let defaultCapacity = 256

    private func checkRoot() throws(MalformedScenario) {
        let roots = operations.filter(\.parents.isEmpty)
        guard let root = roots.first else { throw .noCreation }
        for root in roots where root.action != .create { throw .rootIsNoCreation(root.id) }
        for other in roots.dropFirst() { throw .severalRoots(root.id, other.id) }
    }
}
