import Cryptography
import OperationLog
import OperationLogFixtures
import Time

/// Alice's group with Bob, a stranger outside it, and a replica to which each of them can send whatever they like.
struct Stage {
    let alice: Person
    let bob: Person
    let stranger: Person
    let creation: Operation
    var replica: Replica

    init() throws {
        var random = SplitMix64(seed: 42)
        alice = Person(using: &random)
        bob = Person(using: &random)
        stranger = Person(using: &random)
        creation = ConversationLog.creation(
            body: PlainIntroductions.body(of: [alice, bob]), by: alice.author, at: .earliest)
        replica = Replica(of: ConversationID(createdBy: creation.id))
        try receive(creation)
    }

    @discardableResult
    mutating func receive(_ operation: Operation) throws -> Admission {
        try replica.receive(Batch(lane: operation.header.lane, operations: [operation]))
    }

    /// A message; what is not said is as an honest author who knows of nothing but the creation would write it.
    func message(
        by person: Person, body: [UInt8] = [], sequenceNumber: UInt64 = 1, previous: OperationID? = nil,
        dependencies: [OperationID] = [], heads: [OperationID]? = nil, conversation: ConversationID? = nil
    ) -> Operation {
        let header = OperationHeader(
            type: .message, conversation: conversation ?? replica.log.conversation, lane: .content,
            device: person.device, sequenceNumber: sequenceNumber, previous: previous, dependencies: dependencies,
            membershipHeads: heads ?? [creation.id], time: .earliest, bodyLength: body.count,
            bodyDigest: Operation.digest(of: body))
        return person.author.write(header, body: body)
    }

    /// A membership operation that follows the creation.
    func membership(
        by person: Person, body: [UInt8] = [], sequenceNumber: UInt64? = nil, previous: OperationID? = nil,
        dependencies: [OperationID]? = nil, conversation: ConversationID? = nil
    ) -> Operation {
        let follows = person.device == alice.device && previous == nil
        let header = OperationHeader(
            type: .set, conversation: conversation ?? replica.log.conversation, lane: .membership,
            device: person.device, sequenceNumber: sequenceNumber ?? (follows ? 2 : 1),
            previous: previous ?? (follows ? creation.id : nil),
            dependencies: dependencies ?? (follows ? [] : [creation.id]), membershipHeads: [], time: .earliest,
            bodyLength: body.count, bodyDigest: Operation.digest(of: body))
        return person.author.write(header, body: body)
    }
}
