import Conversations
import Cryptography
import Foundation
import Membership
import OperationLog
import OperationLogFixtures
import Testing
import Time

/// One decision can make thousands of operations void, and the next one effective again: to tell that costs about what
/// they are.
///
/// Processor time of this thread is compared, of one size with four times as much: linear costs grow by four, quadratic
/// ones by sixteen.
@Suite("What is told of operations that become void and effective again", .serialized)
struct TurningTests {
    private typealias Operation = OperationLog.Operation

    private static let start = Timestamp(clamping: 1_800_000_000_000)
    private let (alice, bob, mallory, xenia): (Person, Person, Person, Person)
    private let lane: [Operation]
    private var creation: Operation { lane[0] }
    private var root: Operation { lane[lane.count - 1] }
    private var founder: MembershipBody.Authority { .grant(operation: creation.id, slot: 0) }

    /// Alice founds a group with the others, and makes Bob and Mallory admins.
    init() {
        var random = SplitMix64(seed: 11)
        (alice, bob) = (Person(using: &random), Person(using: &random))
        (mallory, xenia) = (Person(using: &random), Person(using: &random))
        let creation = ConversationLog.creation(
            body: MembershipBody.create(
                nonce: random.bytes(MembershipBody.nonceByteCount), founder: alice.credentials
            ).encoded, by: alice.author, at: Self.start)
        let founder = MembershipBody.Authority.grant(operation: creation.id, slot: 0)
        var lane = [creation]
        for body in [
            MembershipBody.add(
                under: founder, targets: [bob.credentials, mallory.credentials, xenia.credentials]),
            .promote(under: founder, target: bob.user, role: .admin),
            .promote(under: founder, target: mallory.user, role: .admin),
        ] {
            lane.append(Self.write(body, by: alice, of: creation, after: lane[lane.count - 1]))
        }
        self.lane = lane
    }

    /// Writes an operation after the author's last one and, if they never wrote before, after somebody else's.
    private static func write(
        _ body: MembershipBody, by author: Person, of creation: Operation, after previous: Operation
    ) -> Operation {
        let isOwn = previous.author.id == author.device
        let header = OperationHeader(
            type: body.type, conversation: ConversationID(createdBy: creation.id), lane: .membership,
            device: author.device, sequenceNumber: isOwn ? previous.header.sequenceNumber + 1 : 1,
            previous: isOwn ? previous.id : nil, dependencies: isOwn ? [] : [previous.id], membershipHeads: [],
            time: previous.header.time, bodyLength: body.encoded.count,
            bodyDigest: Operation.digest(of: body.encoded))
        return author.author.write(header, body: body.encoded)
    }

    private func write(_ body: MembershipBody, by author: Person, after previous: Operation) -> Operation {
        Self.write(body, by: author, of: creation, after: previous)
    }

    private func group(of operations: [Operation]) -> Group {
        var group = Group(conversation: ConversationID(createdBy: creation.id), root: .group)
        group.insert(operations)
        return group
    }

    /// Nanoseconds of this thread's processor time that some operations take, one after the other, the least of two
    /// tries.
    private func cost(of operations: [Operation], in whole: Group) -> UInt64 {
        (0..<2).map { _ in
            var group = whole
            let begin = Self.processorTime()
            for operation in operations { group.insert([operation]) }
            return Self.processorTime() - begin
        }.min() ?? 0
    }

    private static func processorTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Mallory's additions and removals of Xenia, each on its own branch.
    private func comingsAndGoings(_ count: Int) -> [Operation] {
        let admin = MembershipBody.Authority.grant(operation: root.id, slot: 1)
        let first = write(.merge, by: mallory, after: root)
        return [first]
            + (0..<count).flatMap { number in
                let value = MembershipBody.set(under: admin, field: Group.nameField, value: "\(number)")
                let branch = write(value, by: mallory, after: first)
                return [
                    branch,
                    write(.add(under: admin, targets: [xenia.credentials]), by: mallory, after: branch),
                    write(.remove(under: admin, target: xenia.user, pins: []), by: mallory, after: branch),
                ]
            }
    }

    /// Bob removes Mallory, and Alice removes Bob.
    private var turns: [Operation] {
        let admin = MembershipBody.Authority.grant(operation: lane[2].id, slot: 1)
        return [
            write(.remove(under: admin, target: mallory.user, pins: []), by: bob, after: root),
            write(.remove(under: founder, target: bob.user, pins: []), by: alice, after: root),
        ]
    }

    @Test func `one person's comings and goings cost about what they are`() {
        let costs = [200, 800].map { cost(of: turns, in: group(of: lane + comingsAndGoings($0))) }
        #expect(costs[1] < 9 * costs[0], "\(costs)")
    }

    @Test func `one person's comings and goings are told as if they had always been so`() {
        let before = lane + comingsAndGoings(5)
        var group = group(of: before)
        for count in 1...turns.count {
            group.insert([turns[count - 1]])
            let fresh = self.group(of: before + turns.prefix(count))
            #expect(group.systemMessages == fresh.systemMessages && group.members == fresh.members)
        }
    }

    /// Alice leaves, again and again on branches of their own, and Xenia acts as admin, after the first leave each
    /// time.
    private func acts(_ count: Int) -> [Operation] {
        let takenDown = [
            write(.stepdown, by: bob, after: root), write(.stepdown, by: mallory, after: root),
        ]
        let leaves = (0..<count).map { number in
            let branch = write(
                .set(under: founder, field: Group.nameField, value: "\(number)"), by: alice, after: root)
            return [branch, write(.leave(pins: []), by: alice, after: branch)]
        }
        let heads = takenDown + [leaves[0][1]]
        let settings = (0..<count).map { number in
            let body = MembershipBody.set(under: .acting, field: Group.nameField, value: "acting \(number)")
            let header = OperationHeader(
                type: body.type, conversation: ConversationID(createdBy: creation.id), lane: .membership,
                device: xenia.device, sequenceNumber: 1, previous: nil, dependencies: heads.map(\.id).sorted(),
                membershipHeads: [], time: root.header.time, bodyLength: body.encoded.count,
                bodyDigest: Operation.digest(of: body.encoded))
            return xenia.author.write(header, body: body.encoded)
        }
        return takenDown + leaves[0] + settings + leaves.dropFirst().flatMap(\.self)
    }

    private var lastLeave: Operation { write(.leave(pins: []), by: alice, after: root) }

    @Test func `acts of an acting admin and departures cost about what they are`() {
        let groups = [400, 1_600].map { group(of: lane + acts($0)) }
        #expect(groups.allSatisfy { $0.systemMessages.contains { $0.action == .actingAdmin(xenia.user) } })
        let costs = groups.map { cost(of: [lastLeave], in: $0) }
        #expect(costs[1] < 9 * costs[0], "\(costs)")
    }

    @Test func `acts of an acting admin and departures are told as if they had always been so`() {
        let before = lane + acts(5)
        var group = group(of: before)
        group.insert([lastLeave])
        #expect(group.systemMessages == self.group(of: before + [lastLeave]).systemMessages)
    }
}
