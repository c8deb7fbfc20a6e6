import Cryptography
import OperationLog
import OperationLogFixtures
import Testing
import Time

@Suite("Admitting batches")
struct AdmissionTests {
    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `the log does not depend on the order of arrival`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var room = try Room(people: 4, using: &random)
        try room.live(steps: 50, using: &random)
        var inOrder = Replica(of: room.conversation)
        for commit in room.commits { try inOrder.receive(commit) }
        var shuffled = Replica(of: room.conversation)
        for commit in room.commits.shuffled(using: &random) { try shuffled.receive(commit) }

        #expect(inOrder.waiting.isEmpty)
        #expect(shuffled.waiting.isEmpty)
        for lane in Lane.allCases {
            #expect(shuffled.log.frontier(of: lane) == inOrder.log.frontier(of: lane))
            #expect(shuffled.log.frontier(of: lane).digest == inOrder.log.frontier(of: lane).digest)
            #expect(shuffled.hybridTimes(in: lane) == inOrder.hybridTimes(in: lane))
        }
        #expect(shuffled.log.contentHeads == inOrder.log.contentHeads)
        #expect(shuffled.log.membership.heads == inOrder.log.membership.heads)
        #expect(Set(shuffled.log.membership.operations) == Set(inOrder.log.membership.operations))
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func `delivering everything twice changes nothing`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var room = try Room(people: 3, using: &random)
        try room.live(steps: 30, using: &random)
        var replica = Replica(of: room.conversation)
        for commit in room.commits { try replica.receive(commit) }
        let digest = replica.log.contentFrontier.digest
        for commit in room.commits.shuffled(using: &random) {
            #expect(try replica.receive(commit) == .duplicate)
        }
        #expect(replica.log.contentFrontier.digest == digest)
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func `an operation is ordered after everything it depends on`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var room = try Room(people: 4, using: &random)
        try room.live(steps: 50, using: &random)
        var replica = Replica(of: room.conversation)
        for commit in room.commits { try replica.receive(commit) }
        let times = replica.hybridTimes(in: .content)
        for entry in replica.admitted[.content] ?? [] {
            for parent in entry.operation.header.parents {
                #expect(try #require(times[parent]) < entry.hybridTime)
            }
            #expect(entry.hybridTime >= entry.operation.header.time.milliseconds)
        }
    }

    @Test func `a batch waits for what it depends on, and says what that is`() throws {
        var stage = try Stage()
        let first = stage.message(by: stage.alice)
        let second = stage.message(by: stage.bob, dependencies: [first.id])
        #expect(try stage.receive(second) == .pending(missing: [first.id]))
        #expect(stage.replica.log.contentFrontier == Frontier())
        guard case .admitted = try stage.receive(first) else {
            Issue.record("nothing was missing")
            return
        }
        #expect(stage.replica.waiting.isEmpty)
        #expect(stage.replica.log.contentHeads.map(\.id) == [second.id])
    }

    @Test func `content waits for the membership it was written under`() throws {
        var stage = try Stage()
        let rename = stage.membership(by: stage.alice)
        let message = stage.message(by: stage.bob, heads: [rename.id])
        #expect(try stage.receive(message) == .pending(missing: [rename.id]))
        try stage.receive(rename)
        #expect(stage.replica.log.contentHeads.map(\.id) == [message.id])
    }

    @Test func `a batch is taken whole or not at all`() throws {
        var stage = try Stage()
        let good = stage.message(by: stage.alice)
        let bad = stage.message(by: stage.stranger)
        let batch = Batch(lane: .content, operations: [good, bad])
        #expect(try stage.replica.receive(batch) == .inadmissible(bad.id, .unknownAuthor))
        #expect(stage.replica.log.contentFrontier == Frontier())
    }

    @Test func `a sequence number must follow the one before`() throws {
        var stage = try Stage()
        let first = stage.message(by: stage.alice)
        try stage.receive(first)
        let gap = stage.message(by: stage.alice, sequenceNumber: 3, previous: first.id)
        #expect(try stage.receive(gap) == .inadmissible(gap.id, .brokenChain))
    }

    @Test func `a chain cannot continue another device's`() throws {
        var stage = try Stage()
        let first = stage.message(by: stage.alice)
        try stage.receive(first)
        let stolen = stage.message(by: stage.bob, sequenceNumber: 2, previous: first.id)
        #expect(try stage.receive(stolen) == .inadmissible(stolen.id, .brokenChain))
        let rename = stage.membership(by: stage.alice)
        try stage.receive(rename)
        let stolenRename = stage.membership(by: stage.bob, sequenceNumber: 2, previous: rename.id, dependencies: [])
        #expect(try stage.receive(stolenRename) == .inadmissible(stolenRename.id, .brokenChain))
    }

    @Test func `an operation of another conversation stays out`() throws {
        var stage = try Stage()
        let elsewhere = ConversationID(digest: .hash("test", [1]))
        let message = stage.message(by: stage.alice, conversation: elsewhere)
        #expect(try stage.receive(message) == .inadmissible(message.id, .foreignConversation))
        let rename = stage.membership(by: stage.alice, conversation: elsewhere)
        #expect(try stage.receive(rename) == .inadmissible(rename.id, .foreignConversation))
    }

    @Test func `a second creation is another conversation's`() throws {
        var stage = try Stage()
        let other = ConversationLog.creation(
            body: PlainIntroductions.body(of: [stage.alice]), by: stage.alice.author, at: .latest)
        #expect(try stage.receive(other) == .inadmissible(other.id, .foreignConversation))
    }

    @Test func `whoever was never introduced cannot write`() throws {
        var stage = try Stage()
        let message = stage.message(by: stage.stranger)
        #expect(try stage.receive(message) == .inadmissible(message.id, .unknownAuthor))
        let rename = stage.membership(by: stage.stranger)
        #expect(try stage.receive(rename) == .inadmissible(rename.id, .unknownAuthor))
    }

    @Test func `an introduction counts for those who saw it`() throws {
        var stage = try Stage()
        let before = stage.creation.id
        let introduction = stage.membership(by: stage.alice, body: PlainIntroductions.body(of: [stage.stranger]))
        try stage.receive(introduction)
        let blind = stage.message(by: stage.stranger, heads: [before])
        #expect(try stage.receive(blind) == .inadmissible(blind.id, .unknownAuthor))
        let seeing = stage.message(by: stage.stranger, heads: [introduction.id])
        guard case .admitted = try stage.receive(seeing) else {
            Issue.record("the stranger was introduced")
            return
        }
    }

    @Test func `membership once seen cannot be unseen`() throws {
        var stage = try Stage()
        let rename = stage.membership(by: stage.alice)
        try stage.receive(rename)
        let later = stage.message(by: stage.alice, heads: [rename.id])
        try stage.receive(later)
        let backwards = stage.message(by: stage.bob, dependencies: [later.id], heads: [stage.creation.id])
        #expect(try stage.receive(backwards) == .inadmissible(backwards.id, .pastsDoNotNest))
        let onOwnChain = stage.message(
            by: stage.alice, sequenceNumber: 2, previous: later.id, heads: [stage.creation.id])
        #expect(try stage.receive(onOwnChain) == .inadmissible(onOwnChain.id, .pastsDoNotNest))
    }

    @Test func `a malformed membership body is refused for good`() throws {
        var stage = try Stage()
        let broken = stage.membership(by: stage.alice, body: [1])
        #expect(try stage.receive(broken) == .inadmissible(broken.id, .malformedBody))
    }

    @Test func `a fork is taken and proves itself`() throws {
        var stage = try Stage()
        let first = stage.message(by: stage.alice, body: [1])
        let twin = stage.message(by: stage.alice, body: [2])
        let child = stage.message(by: stage.alice, body: [3], sequenceNumber: 2, previous: twin.id)
        var proofs: [Bool] = []
        for operation in [first, twin, child] {
            guard case .admitted(let admitted) = try stage.receive(operation) else {
                Issue.record("a fork is no reason to refuse")
                return
            }
            proofs += admitted.map(\.provesFork)
        }
        #expect(proofs == [false, true, false])
        let tips = stage.replica.log.contentFrontier.tips[stage.alice.device] ?? []
        #expect(tips.map(\.id) == [first.id, child.id])
        #expect(stage.replica.log.contentFrontier.hasForks)
    }

    @Test func `a direct conversation has neither creation nor roles`() throws {
        var random = SplitMix64(seed: 1)
        let alice = Person(using: &random)
        let bob = Person(using: &random)
        let low = min(alice.user, bob.user)
        let high = max(alice.user, bob.user)
        let conversation = ConversationID(directBetween: alice.user, and: bob.user)
        var log = ConversationLog(
            conversation: conversation, root: .direct(low, high), introductions: PlainIntroductions.read)
        let index = MemoryIndex()
        func receive(_ operation: Operation) throws -> Admission {
            try log.admit(Batch(lane: operation.header.lane, operations: [operation]), using: index)
        }
        let creation = ConversationLog.creation(body: [], by: alice.author, at: .earliest)
        #expect(try receive(creation) == .inadmissible(creation.id, .misplacedType))
        func device(of person: Person, type: OperationType) -> Operation {
            let body = PlainIntroductions.body(of: [person])
            return person.author.write(
                OperationHeader(
                    type: type, conversation: conversation, lane: .membership, device: person.device, sequenceNumber: 1,
                    previous: nil, dependencies: [], membershipHeads: [], time: .earliest, bodyLength: body.count,
                    bodyDigest: Operation.digest(of: body)), body: body)
        }
        let promotion = device(of: alice, type: .promote)
        #expect(try receive(promotion) == .inadmissible(promotion.id, .misplacedType))
        // Both begin at once, without knowing of each other.
        for person in [alice, bob] {
            guard case .admitted = try receive(device(of: person, type: .device)) else {
                Issue.record("both are members forever")
                return
            }
        }
        let stranger = Person(using: &random)
        let intrusion = device(of: stranger, type: .device)
        #expect(try receive(intrusion) == .inadmissible(intrusion.id, .unknownAuthor))
    }
}

extension Replica {
    /// The hybrid time of everything in a lane.
    fileprivate func hybridTimes(in lane: Lane) -> [OperationID: Int64] {
        Dictionary(
            (admitted[lane] ?? []).map { ($0.operation.id, $0.hybridTime) }, uniquingKeysWith: { first, _ in first })
    }
}
