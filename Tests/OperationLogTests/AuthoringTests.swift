import Cryptography
import OperationLog
import OperationLogFixtures
import Testing
import Time

@Suite("Writing operations")
struct AuthoringTests {
    private func drafts(_ count: Int) -> [ConversationLog.Draft] {
        (0..<count).map { ConversationLog.Draft(type: .message, body: [UInt8(truncatingIfNeeded: $0)]) }
    }

    /// A log in which `count` people wrote at once, and a further one who wrote nothing yet.
    private func crowd(of count: Int, in lane: Lane) throws -> (log: ConversationLog, author: Author) {
        var random = SplitMix64(seed: 7)
        var room = try Room(people: count + 1, using: &random)
        for person in 1...count {
            switch lane {
            case .membership: try room.writeMembership(by: person)
            case .content: try room.writeMessages(1, by: person, using: &random)
            }
        }
        for person in 1...count { try room.hear(from: person, at: 0) }
        return (room.logs[0], room.people[0].author)
    }

    @Test func `a burst carries one signature`() throws {
        var (log, author) = try crowd(of: 1, in: .content)
        let written = try log.write(content: drafts(10), by: author, at: .latest)
        #expect(written.map { $0.operation.signature != nil } == Array(repeating: false, count: 9) + [true])
        #expect(written.map(\.operation.header.sequenceNumber) == Array(1...10))
        let encoded = Batch(lane: .content, operations: written.map(\.operation)).encoded
        let decoded = try Batch(decoding: encoded, of: log.conversation)
        #expect(decoded.operations.map(\.id) == written.map(\.operation.id))
    }

    @Test func `a burst that no batch can carry is signed in between`() throws {
        var (log, author) = try crowd(of: 1, in: .content)
        let body = [UInt8](repeating: 1, count: Limits.maximumBodyBytes)
        let written = try log.write(
            content: (0..<20).map { _ in .init(type: .message, body: body) }, by: author, at: .latest)
        let signed = written.indices.filter { written[$0].operation.signature != nil }
        #expect(signed == [7, 15, 19])
        let many = try log.write(content: drafts(Limits.maximumBatchOperations + 1), by: author, at: .latest)
        #expect(many.count { $0.operation.signature != nil } == 2)
    }

    @Test func `every membership operation carries a signature and names all heads`() throws {
        var (log, author) = try crowd(of: 5, in: .membership)
        let heads = log.membership.heads
        let written = try log.write(
            membership: [.init(type: .set, body: []), .init(type: .set, body: [])], by: author, at: .latest)
        #expect(written.allSatisfy { $0.operation.signature != nil })
        #expect(Set(written[0].operation.header.parents).isSuperset(of: heads))
        #expect(log.membership.heads == [written[1].operation.id])
    }

    @Test(arguments: [(1, 0), (16, 0), (17, 1), (32, 1), (33, 2)])
    func `what is written on chosen operations follows these and nothing else`(chosen: Int, merges: Int) throws {
        var (log, author) = try crowd(of: 34, in: .membership)
        let heads = log.membership.heads
        try #require(log.knows(author.device, after: Array(heads.prefix(chosen))))
        let written = try log.write(
            membership: .init(type: .set, body: []), after: Array(heads.prefix(chosen)), by: author, at: .latest)
        #expect(written.map(\.operation.header.type) == Array(repeating: .merge, count: merges) + [.set])
        let past = try #require(written.last.flatMap { log.membership.past(of: [$0.operation.id]) })
        #expect(heads.filter { log.membership.contains($0, in: past) } == Array(heads.prefix(chosen)))
        // Whoever did so goes on alone from there.
        let next = try log.write(membership: .init(type: .set, body: []), after: [], by: author, at: .latest)
        #expect(next.map(\.operation.header.parents) == [written.suffix(1).map(\.operation.id)])
    }

    @Test(arguments: [(16, 0), (17, 1), (31, 1), (32, 2), (40, 2)])
    func `too many membership heads are merged first`(heads: Int, merges: Int) throws {
        var (log, author) = try crowd(of: heads, in: .membership)
        #expect(log.membership.heads.count == heads)
        let written = try log.write(membership: [.init(type: .set, body: [])], by: author, at: .latest)
        let types = written.map(\.operation.header.type)
        #expect(types == Array(repeating: .merge, count: merges) + [.set])
        #expect(written.allSatisfy { $0.operation.header.dependencies.count <= Limits.maximumDependencies })
        #expect(log.membership.heads == written.last.map { [$0.operation.id] })
    }

    /// Nobody admits a merge by somebody whom its past does not know.
    @Test(arguments: [(16, 0), (17, 0), (31, 0), (32, 1), (47, 1), (48, 2)])
    func `whoever is not known yet comes in first and merges then`(heads: Int, merges: Int) throws {
        var random = SplitMix64(seed: 9)
        let people = [Person(using: &random), Person(using: &random)].sorted { $0.user < $1.user }
        let conversation = ConversationID(digest: .hash("test", [1]))
        let root = ConversationRoot.direct(people[0].user, people[1].user)
        let empty = ConversationLog(conversation: conversation, root: root, introductions: PlainIntroductions.read)
        let introductions = people.map { ConversationLog.Draft(type: .device, body: PlainIntroductions.body(of: [$0])) }
        var log = empty
        for number in 0..<heads {
            var branch = empty
            let time = Timestamp(clamping: 1_700_000_000_000 + Int64(number))
            let written = try branch.write(membership: [introductions[0]], by: people[0].author, at: time)
            _ = try log.admit(
                Batch(lane: .membership, operations: written.map(\.operation)), using: MemoryIndex())
        }
        #expect(log.membership.heads.count == heads)
        var other = log
        let written = try log.write(membership: [introductions[1]], by: people[1].author, at: .latest)
        #expect(written.map(\.operation.header.type) == [.device] + Array(repeating: .merge, count: merges))
        #expect(written.allSatisfy { $0.operation.header.dependencies.count <= Limits.maximumDependencies })
        #expect(log.membership.heads.count <= Limits.maximumDependencies)
        let batch = Batch(lane: .membership, operations: written.map(\.operation))
        guard case .admitted = try other.admit(batch, using: MemoryIndex()) else {
            Issue.record("others do not admit it")
            return
        }
        #expect(other.membershipFrontier == log.membershipFrontier)
    }

    @Test func `content names at most 16 dependencies, the latest`() throws {
        var (log, author) = try crowd(of: 20, in: .content)
        let latest = log.contentHeads.sorted { ($0.hybridTime, $0.id) > ($1.hybridTime, $1.id) }.prefix(16)
        let written = try log.write(content: drafts(1), by: author, at: .latest)
        #expect(written[0].operation.header.dependencies == latest.map(\.id).sorted())
        #expect(log.contentHeads.count == 5)
    }

    @Test func `a clock that runs behind does not put an answer before its question`() throws {
        var (log, author) = try crowd(of: 3, in: .content)
        let newest = try #require(log.contentHeads.map(\.hybridTime).max())
        let written = try log.write(content: drafts(2), by: author, at: .earliest)
        #expect(written.map(\.hybridTime) == [newest + 1, newest + 2])
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `what an author wrote is what every replica admits`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var room = try Room(people: 4, using: &random)
        try room.live(steps: 60, using: &random)
        for person in room.people.indices {
            for other in room.people.indices { try room.hear(from: other, at: person) }
        }
        for person in room.people.indices {
            for other in room.people.indices { try room.hear(from: other, at: person) }
        }
        let first = room.logs[0]
        for log in room.logs {
            #expect(log.contentFrontier == first.contentFrontier)
            #expect(log.contentHeads == first.contentHeads)
            #expect(log.membershipFrontier == first.membershipFrontier)
        }
    }
}
