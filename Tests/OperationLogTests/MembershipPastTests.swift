import OperationLog
import OperationLogFixtures
import Testing
import Time

@Suite("The past of a membership operation")
struct MembershipPastTests {
    /// A group with a device that everybody has heard of and that goes on by itself: none of the others' pasts is full.
    private struct Apart {
        var random = SplitMix64(seed: 4)
        let people: [Person]
        var log: ConversationLog

        init(people count: Int) throws {
            var people: [Person] = []
            for _ in 0..<count { people.append(Person(using: &random)) }
            self.people = people
            let creation = ConversationLog.creation(
                body: PlainIntroductions.body(of: people), by: people[0].author, at: .earliest)
            log = Room.emptyLog(of: ConversationID(createdBy: creation.id))
            _ = try log.begin(with: creation)
        }

        /// An operation that follows what its author wrote last, and some others.
        func merge(by person: Int, after previous: Operation?, and others: [OperationID]) -> Operation {
            let header = OperationHeader(
                type: .merge, conversation: log.conversation, lane: .membership, device: people[person].device,
                sequenceNumber: (previous?.header.sequenceNumber ?? 0) + 1, previous: previous?.id,
                dependencies: others.filter { $0 != previous?.id }.sorted(), membershipHeads: [], time: .earliest,
                bodyLength: 0, bodyDigest: Operation.digest(of: []))
            return people[person].author.write(header, body: [])
        }
    }

    @Test func `takes memory that is linear in the lane, also where it is never whole`() throws {
        var apart = try Apart(people: 3)
        let creation = try #require(apart.log.membership.operations.first)
        // Of what Carol wrote first nobody ever takes notice.
        var operations = [apart.merge(by: 2, after: nil, and: [creation.id])]
        var last: Operation?
        let count = 6_000
        for _ in 0..<count {
            let next = apart.merge(by: 1, after: last, and: last == nil ? [creation.id] : [])
            operations.append(next)
            last = next
        }
        for start in stride(from: 0, to: operations.count, by: 500) {
            let part = Array(operations[start..<min(start + 500, operations.count)])
            guard
                case .admitted = try apart.log.admit(
                    Batch(lane: .membership, operations: part), using: MemoryIndex())
            else {
                Issue.record("nothing is wrong with merges")
                return
            }
        }
        // A bit for each pair would be 281,000 words; of every 65th operation it is 4,400, and of the first thousand,
        // all of which are kept, 8,200.
        #expect(apart.log.membership.pastWords < 15_000)
        let tip = try #require(last)
        #expect(apart.log.membership.past(of: [tip.id])?.count == count + 1)
        #expect(apart.log.membership.past(of: [operations[count / 2].id])?.count == count / 2 + 1)
        #expect(apart.log.membership.past(of: [operations[0].id])?.count == 2)
    }

    @Test func `is a short walk away wherever it is, also on a ladder that is never whole`() throws {
        var apart = try Apart(people: 7)
        let creation = try #require(apart.log.membership.operations.first)
        var operations = [apart.merge(by: 6, after: nil, and: [creation.id])]
        var rungs: [Operation] = []
        for _ in 0..<600 {
            rungs = (1...5).map { person in
                apart.merge(
                    by: person, after: rungs.isEmpty ? nil : rungs[person - 1],
                    and: rungs.isEmpty ? [creation.id] : rungs.map(\.id))
            }
            operations += rungs
        }
        let batch = Batch(lane: .membership, operations: operations)
        guard case .admitted = try apart.log.admit(batch, using: MemoryIndex()) else {
            Issue.record("nothing is wrong with merges")
            return
        }
        let lane = apart.log.membership
        let longest = operations.map { lane.walk(toPastOf: $0.id) }.max() ?? 0
        #expect((1...64).contains(longest))
        #expect(lane.pastWords < 16 * operations.count)
        for (place, operation) in operations.enumerated().dropFirst().filter({ $0.offset % 97 == 0 }) {
            // The layers before it, itself, and the creation.
            #expect(lane.past(of: [operation.id])?.count == (place - 1) / 5 * 5 + 2)
        }
    }

    @Test func `leaves long bodies to the store`() throws {
        var random = SplitMix64(seed: 3)
        let room = try Room(people: 1, using: &random)
        var log = room.logs[0]
        let crowd = (0..<40).map { _ in Person(using: &random) }
        let bodies = [PlainIntroductions.body(of: Array(crowd[..<30])), PlainIntroductions.body(of: crowd)]
        #expect(bodies[0].count <= Operation.maximumHeldBodyBytes && bodies[1].count > Operation.maximumHeldBodyBytes)
        _ = try log.write(
            membership: bodies.map { .init(type: .device, body: $0) }, by: room.people[0].author, at: .earliest)
        let held = log.membership.operations.suffix(2)
        #expect(held.map(\.body) == [bodies[0], nil])
        #expect(held.map(\.header.bodyLength) == bodies.map(\.count))
    }

    @Test func `costs nothing where everybody has seen everything`() throws {
        var random = SplitMix64(seed: 2)
        var room = try Room(people: 1, using: &random)
        for _ in 0..<3_000 { try room.writeMembership(by: 0) }
        #expect(room.logs[0].membership.pastWords <= 2 * room.logs[0].membership.operations.count)
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `is what is reached by following parents`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var apart = try Apart(people: 6)
        let creation = try #require(apart.log.membership.operations.first)
        var tips: [Operation?] = Array(repeating: nil, count: 6)
        tips[0] = creation
        var pasts: [OperationID: Set<OperationID>] = [creation.id: [creation.id]]
        var ids = [creation.id]
        var operations: [Operation] = []
        for _ in 0..<1_500 {
            let person = Int.random(in: 1..<6, using: &random)
            var seen =
                Int.random(in: 0..<40, using: &random) == 0 ? [try #require(ids.randomElement(using: &random))] : []
            if tips[person] == nil { seen = [creation.id] }
            let next = apart.merge(by: person, after: tips[person], and: seen)
            tips[person] = next
            pasts[next.id] = next.header.parents.reduce(into: [next.id]) { $0.formUnion(pasts[$1] ?? []) }
            ids.append(next.id)
            operations.append(next)
        }
        _ = try apart.log.admit(Batch(lane: .membership, operations: operations), using: MemoryIndex())
        let lane = apart.log.membership
        #expect(lane.operations.count == ids.count)
        for _ in 0..<60 {
            let heads = [ids.randomElement(using: &random), ids.randomElement(using: &random)].compactMap { $0 }
            let expected = heads.reduce(into: Set<OperationID>()) { $0.formUnion(pasts[$1] ?? []) }
            let past = try #require(lane.past(of: heads))
            #expect(past.count == expected.count, "seed \(seed)")
            #expect(Set(lane.operations(through: heads).map(\.id)) == expected, "seed \(seed)")
            let other = try #require(ids.randomElement(using: &random))
            let before = try #require(lane.past(of: [other]))
            #expect(lane.contains(other, in: past) == expected.contains(other), "seed \(seed)")
            #expect(past.isSuperset(of: before) == expected.isSuperset(of: pasts[other] ?? []), "seed \(seed)")
            #expect(
                Set(past.elements(beyond: before).map { lane.operations[$0].id })
                    == expected.subtracting(pasts[other] ?? []), "seed \(seed)")
            let common = past.intersection(before)
            #expect(
                Set(common.elements(beyond: MembershipPast()).map { lane.operations[$0].id })
                    == expected.intersection(pasts[other] ?? []), "seed \(seed)")
            #expect(common.count == expected.intersection(pasts[other] ?? []).count, "seed \(seed)")
        }
    }
}
