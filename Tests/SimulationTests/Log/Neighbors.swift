import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Simulation
import Time

/// A group of people with a replica each, which hears of the others' commits now and then.
struct Neighbors {
    let people: [Person]
    let conversation: ConversationID
    let creation: Operation
    private(set) var logs: [ConversationLog]
    /// What each replica holds, in the order in which it came, with the time by which the log orders it.
    private(set) var held: [[AdmittedOperation]]
    private var groups: [Group]
    private let indexes: [MemoryIndex]
    private var commits: [Batch] = []
    private var delivered: [Set<Int>]
    private var clock: Int64 = 1_800_000_000_000

    /// The first person founds the group and adds the others.
    init(_ count: Int, using random: inout SplitMix64) throws {
        var people: [Person] = []
        for _ in 0..<count { people.append(Person(using: &random)) }
        self.people = people
        let nonce = random.bytes(MembershipBody.nonceByteCount)
        let body = MembershipBody.create(nonce: nonce, founder: Self.credentials(of: people[0])).encoded
        creation = ConversationLog.creation(body: body, by: people[0].author, at: Timestamp(clamping: clock))
        conversation = ConversationID(createdBy: creation.id)
        let log = ConversationLog(
            conversation: conversation, root: .group, introductions: MembershipBody.introductions(of:))
        logs = Array(repeating: log, count: count)
        held = Array(repeating: [], count: count)
        groups = Array(repeating: Group(conversation: conversation, root: .group), count: count)
        indexes = people.map { _ in MemoryIndex() }
        delivered = Array(repeating: [], count: count)
        keep([try logs[0].begin(with: creation)], by: 0)
        try write(
            .add(
                under: .grant(operation: creation.id, slot: 0),
                targets: people.dropFirst().map { Self.credentials(of: $0) }), by: 0)
        for person in people.indices.dropFirst() { try hear(from: 0, at: person) }
    }

    static func credentials(of person: Person) -> Credentials {
        person.credentials
    }

    /// What a person's replica claims to hold.
    func oracle(of person: Int) -> NaiveLog { oracle(holding: held[person].map(\.operation)) }

    func oracle(holding operations: [Operation]) -> NaiveLog {
        NaiveLog(of: conversation, root: .group, holding: operations)
    }

    mutating func live(steps: Int, using random: inout SplitMix64) throws {
        for _ in 0..<steps {
            // Clocks go back now and then.
            clock += Int64.random(in: -400...500, using: &random)
            let person = Int.random(in: 0..<people.count, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: try write(.set(under: .acting, field: "name", value: "\(clock)"), by: person)
            case 1...5: try writeMessages(Int.random(in: 1...4, using: &random), by: person)
            default: try hear(from: Int.random(in: 0..<people.count, using: &random), at: person)
            }
        }
    }

    mutating func write(_ body: MembershipBody, by person: Int) throws {
        let draft = ConversationLog.Draft(type: body.type, body: body.encoded)
        keep(try logs[person].write(membership: [draft], by: people[person].author, at: now), by: person)
    }

    mutating func writeMessages(_ count: Int, by person: Int) throws {
        let drafts = (0..<count).map { number in
            ConversationLog.Draft(type: .message, body: MessageBody(text: "\(number)")?.encoded ?? [])
        }
        keep(try logs[person].write(content: drafts, by: people[person].author, at: now), by: person)
    }

    mutating func hear(from other: Int, at person: Int) throws {
        for commit in delivered[other].subtracting(delivered[person]).sorted() {
            delivered[person].insert(commit)
            guard case .admitted(let admitted) = try judge(commits[commit], at: person) else {
                preconditionFailure("a commit follows what its author had")
            }
            hold(admitted, at: person)
        }
    }

    /// A replica takes an operation that somebody forged.
    mutating func admit(_ operation: Operation, at person: Int) throws -> Admission {
        let admission = try judge(Batch(lane: operation.header.lane, operations: [operation]), at: person)
        if case .admitted(let admitted) = admission { hold(admitted, at: person) }
        return admission
    }

    private mutating func judge(_ batch: Batch, at person: Int) throws -> Admission {
        let lane = logs[person].membership
        var group = groups[person]
        return try logs[person].admit(batch, using: indexes[person]) { group.isMember($0, at: $1, in: lane) }
    }

    private var now: Timestamp { Timestamp(clamping: clock) }

    private mutating func keep(_ written: [AdmittedOperation], by person: Int) {
        hold(written, at: person)
        for lane in Lane.allCases {
            let part = written.filter { $0.operation.header.lane == lane }
            guard !part.isEmpty else { continue }
            delivered[person].insert(commits.count)
            commits.append(Batch(lane: lane, operations: part.map(\.operation)))
        }
    }

    private mutating func hold(_ admitted: [AdmittedOperation], at person: Int) {
        held[person] += admitted
        groups[person].insert(admitted.map(\.operation).filter { $0.header.lane == .membership })
        indexes[person].insert(admitted.filter { $0.operation.header.lane == .content })
    }
}
