import Cryptography
import OperationLog
import Time

/// A group of people who write to each other over links that work now and then: every replica's log, and every commit
/// that was made, as the batch in which it would travel.
public struct Room {
    /// The people; the first created the group.
    public let people: [Person]
    /// The conversation.
    public let conversation: ConversationID
    /// The commits of all authors in the order they were made, which extends the causal order.
    public private(set) var commits: [Batch] = []
    /// Each person's replica.
    public private(set) var logs: [ConversationLog] = []
    private let indexes: [MemoryIndex]
    /// How many of the commits each replica has.
    private var delivered: [Set<Int>]
    private var clock = Timestamp(clamping: 1_700_000_000_000)

    /// Founds the group. Everybody is introduced in its creation and holds it.
    public init(people count: Int, using random: inout some RandomNumberGenerator) throws {
        var people: [Person] = []
        for _ in 0..<count { people.append(Person(using: &random)) }
        self.people = people
        indexes = people.map { _ in MemoryIndex() }
        let creation = ConversationLog.creation(
            body: PlainIntroductions.body(of: people), by: people[0].author, at: clock)
        conversation = ConversationID(createdBy: creation.id)
        delivered = Array(repeating: [], count: count)
        let empty = Self.emptyLog(of: conversation)
        logs = Array(repeating: empty, count: count)
        commits = [Batch(lane: .membership, operations: [creation])]
        for person in people.indices { try deliver(commit: 0, to: person) }
    }

    /// A log without operations, which reads ``PlainIntroductions``.
    public static func emptyLog(of conversation: ConversationID) -> ConversationLog {
        ConversationLog(conversation: conversation, root: .group, introductions: PlainIntroductions.read)
    }

    /// Lets chance decide who writes and who hears of what, `steps` times.
    public mutating func live(steps: Int, using random: inout some RandomNumberGenerator) throws {
        for _ in 0..<steps {
            clock = Timestamp(clamping: clock.milliseconds + Int64.random(in: -50...500, using: &random))
            let person = Int.random(in: 0..<people.count, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: try writeMembership(by: person)
            case 1...5: try writeMessages(Int.random(in: 1...4, using: &random), by: person, using: &random)
            default: try hear(from: Int.random(in: 0..<people.count, using: &random), at: person)
            }
        }
    }

    /// A person writes messages in one commit.
    public mutating func writeMessages(
        _ count: Int, by person: Int, length: Int? = nil, using random: inout some RandomNumberGenerator
    ) throws {
        var drafts: [ConversationLog.Draft] = []
        for _ in 0..<count {
            let length = length ?? Int.random(in: 0...40, using: &random)
            var body: [UInt8] = []
            body.reserveCapacity(length)
            for _ in 0..<length { body.append(UInt8.random(in: .min ... .max, using: &random)) }
            drafts.append(ConversationLog.Draft(type: .message, body: body))
        }
        let written = try logs[person].write(content: drafts, by: people[person].author, at: clock)
        keep(written, by: person)
    }

    /// A person writes a membership operation that introduces nobody.
    public mutating func writeMembership(by person: Int) throws {
        let written = try logs[person].write(
            membership: [ConversationLog.Draft(type: .set, body: [])], by: people[person].author, at: clock)
        keep(written, by: person)
    }

    /// A person receives everything that another one has.
    public mutating func hear(from other: Int, at person: Int) throws {
        for commit in delivered[other].subtracting(delivered[person]).sorted() {
            try deliver(commit: commit, to: person)
        }
    }

    private mutating func keep(_ written: [AdmittedOperation], by person: Int) {
        for lane in Lane.allCases {
            let part = written.filter { $0.operation.header.lane == lane }
            guard !part.isEmpty else { continue }
            delivered[person].insert(commits.count)
            commits.append(Batch(lane: lane, operations: part.map(\.operation)))
            if lane == .content { indexes[person].insert(part) }
        }
    }

    private mutating func deliver(commit: Int, to person: Int) throws {
        delivered[person].insert(commit)
        let batch = commits[commit]
        guard case .admitted(let admitted) = try logs[person].admit(batch, using: indexes[person]) else {
            preconditionFailure("a commit follows what its author had")
        }
        if batch.lane == .content { indexes[person].insert(admitted) }
    }
}
