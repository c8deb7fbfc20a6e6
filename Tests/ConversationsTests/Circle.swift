import Conversations
import Cryptography
import Membership
import OperationLog
import OperationLogFixtures
import Testing
import Time

/// A group of named people on one replica that everybody writes on.
struct Circle {
    let people: [String: Person]
    private(set) var log: ConversationLog
    private(set) var group: Group
    /// The membership lane, with all bodies.
    private(set) var lane: [OperationLog.Operation] = []
    private var content: [OperationID: AdmittedOperation] = [:]
    private var minutes: Int64 = 0

    /// The first person founds the group with the others.
    ///
    /// - Parameters:
    ///   - name: what they call it, if they say so at once, as a node does that creates a group.
    ///   - outsiders: people who are not in it yet.
    init(_ names: String..., called name: String? = nil, outsiders: [String] = [], seed: UInt64 = 1) throws {
        try self.init(named: names, called: name, outsiders: outsiders, seed: seed)
    }

    init(named names: [String], called name: String? = nil, outsiders: [String] = [], seed: UInt64 = 1) throws {
        var random = SplitMix64(seed: seed)
        var people: [String: Person] = [:]
        for name in names + outsiders { people[name] = Person(using: &random) }
        self.people = people
        let founder = Self.person(names[0], of: people)
        let creation = ConversationLog.creation(
            body: MembershipBody.create(
                nonce: random.bytes(MembershipBody.nonceByteCount), founder: Self.credentials(of: founder)
            )
            .encoded, by: founder.author, at: Self.start)
        let conversation = ConversationID(createdBy: creation.id)
        log = ConversationLog(
            conversation: conversation, root: .group, introductions: MembershipBody.introductions(of:))
        group = Group(conversation: conversation, root: .group)
        let begun = try log.begin(with: creation)
        group.insert([begun.operation])
        lane.append(begun.operation)
        let authority = MembershipBody.Authority.grant(operation: creation.id, slot: 0)
        let addition = MembershipBody.add(
            under: authority, targets: names.dropFirst().map { Self.credentials(of: Self.person($0, of: people)) })
        if let name {
            minutes -= 1
            try write(by: names[0], all: [addition, .set(under: authority, field: Group.nameField, value: name)])
        } else {
            try write(by: names[0], addition)
        }
    }

    private static let start = Timestamp(clamping: 1_800_000_000_000)

    func user(_ name: String) -> UserID { Self.person(name, of: people).user }

    /// A person writes under the best authority there is for it.
    @discardableResult
    mutating func decide(
        _ name: String, _ body: (MembershipBody.Authority) -> MembershipBody
    ) throws -> OperationID? {
        guard case .granted(let authority)? = group.permission(for: body, by: user(name)) else { return nil }
        return try write(by: name, body(authority))
    }

    /// A person writes, whether it takes effect or not.
    @discardableResult
    mutating func write(by name: String, _ body: MembershipBody) throws -> OperationID? {
        try write(by: name, all: [body])
    }

    /// A person says again who they are.
    mutating func renew(_ name: String) throws -> OperationID? {
        try write(by: name, .device(own: person(name).credentials))
    }

    /// A person writes several operations at once.
    @discardableResult
    mutating func write(by name: String, all bodies: [MembershipBody]) throws -> OperationID? {
        minutes += 1
        let written = try log.write(
            membership: bodies.map { ConversationLog.Draft(type: $0.type, body: $0.encoded) },
            by: Self.person(name, of: people).author,
            at: Timestamp(clamping: Self.start.milliseconds + minutes * 60_000))
        group.insert(written.map(\.operation))
        lane += written.map(\.operation)
        return written.last?.operation.id
    }

    /// A person writes on chosen operations and their own last one.
    @discardableResult
    mutating func write(by name: String, _ body: MembershipBody, after heads: [OperationID]) throws -> OperationID? {
        minutes += 1
        let written = try log.write(
            membership: ConversationLog.Draft(type: body.type, body: body.encoded), after: heads,
            by: Self.person(name, of: people).author,
            at: Timestamp(clamping: Self.start.milliseconds + minutes * 60_000))
        group.insert(written.map(\.operation))
        lane += written.map(\.operation)
        return written.last?.operation.id
    }

    /// Lets time pass in which nobody writes.
    mutating func wait(minutes: Int64) { self.minutes += minutes }

    /// A person adds others, each by an operation of its own that is written together with the others.
    mutating func add(_ names: String..., by author: String) throws {
        let targets = names.map { person($0).credentials }
        guard
            case .granted(let authority)? = group.permission(
                for: { .add(under: $0, targets: targets) }, by: user(author))
        else { throw Misfortune() }
        try write(by: author, all: targets.map { .add(under: authority, targets: [$0]) })
    }

    /// A person takes another one out.
    mutating func remove(_ name: String, by author: String) throws {
        let target = user(name)
        try decide(author) { .remove(under: $0, target: target, pins: []) }
    }

    /// A person writes a register.
    mutating func set(_ field: String = Group.nameField, to value: String, by author: String) throws {
        try decide(author) { .set(under: $0, field: field, value: value) }
    }

    /// Takes in what was written on another side of a cut.
    mutating func meet(_ other: Circle) throws {
        let news = other.lane.filter { !log.membership.contains($0.id) }
        guard !news.isEmpty else { return }
        let admission = try log.admit(Batch(lane: .membership, operations: news), using: MemoryIndex())
        guard case .admitted(let admitted) = admission else { throw Misfortune() }
        group.insert(admitted.map(\.operation))
        lane += admitted.map(\.operation)
    }

    /// Takes in content that was written on another side of a cut.
    mutating func meet(content operations: [OperationLog.Operation]) throws {
        let index = MemoryIndex()
        index.insert(Array(content.values))
        let admission = try log.admit(Batch(lane: .content, operations: operations), using: index)
        guard case .admitted(let admitted) = admission else { throw Misfortune() }
        for entry in admitted { content[entry.operation.id] = entry }
    }

    /// What was written on the other side is not admitted.
    struct Misfortune: Error {}

    /// Who may read what is written now.
    mutating func view() throws -> View {
        try view(at: log.membership.heads)
    }

    /// Who may read what is written under some heads.
    mutating func view(at heads: [OperationID]) throws -> View {
        let view = group.view(at: heads, in: log.membership)
        return try #require(view)
    }

    /// How much say the author of content had when they wrote it.
    mutating func authorRole(of operation: Operation) -> AuthorRole {
        group.authorRole(of: operation, isCutOff: isCutOff(operation), in: log.membership)
    }

    /// Whether content does not count.
    func isCutOff(_ operation: Operation) -> Bool { cutOff(operation) != nil }

    /// Why content does not count; nil if it does.
    func cutOff(_ operation: Operation) -> CutOff<OperationID>? {
        var (branches, group) = (PinnedBranches(), group)
        return group.cutOff(operation, in: log.membership) { pin in
            branches.isCovered(pin, operation, in: log.contentFrontier) { content[$0]?.operation.header }
        }
    }

    /// Whom a message reached.
    mutating func receipts(for message: Operation, by known: Receipts, showsReads: Bool) -> MessageReceipts {
        group.receipts(for: message, by: known, showsReads: showsReads, in: log.membership)
    }

    /// A person writes content.
    @discardableResult
    mutating func write(content drafts: [ConversationLog.Draft], by name: String) throws -> [Operation] {
        minutes += 1
        let written = try log.write(
            content: drafts, by: Self.person(name, of: people).author,
            at: Timestamp(clamping: Self.start.milliseconds + minutes * 60_000))
        for entry in written { content[entry.operation.id] = entry }
        return written.map(\.operation)
    }

    func person(_ name: String) -> Person { Self.person(name, of: people) }

    /// What the group tells a person about itself.
    func told(to name: String) -> [String] { texts(of: group.systemMessages(for: user(name)), for: name) }

    /// Messages in the words for a person.
    func texts(of messages: [SystemMessage], for name: String) -> [String] {
        let names = Dictionary(uniqueKeysWithValues: people.map { ($0.value.user, $0.key) })
        return messages.map {
            $0.text(for: user(name), groupName: group.name ?? "the group") { names[$0] ?? "somebody" }
        }
    }

    private static func person(_ name: String, of people: [String: Person]) -> Person {
        guard let person = people[name] else { preconditionFailure("nobody is called \(name)") }
        return person
    }

    private static func credentials(of person: Person) -> Credentials {
        person.credentials
    }
}
