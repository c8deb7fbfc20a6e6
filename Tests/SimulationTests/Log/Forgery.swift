import Cryptography
import OperationLog
import OperationLogFixtures
import Time

@testable import Simulation

/// Writes operations of a group that are right but for what a test changes about them.
struct Forgery {
    let conversation: ConversationID
    let creation: Operation
    let addition: Operation

    /// Builds on the first two operations of a group.
    init(of neighbors: Neighbors) {
        conversation = neighbors.conversation
        creation = neighbors.creation
        addition = neighbors.held[0][1].operation
    }

    func message(
        by person: Person, body: [UInt8] = [0, 1, 65], after previous: Operation? = nil,
        change: (inout OperationHeader) -> Void = { _ in }
    ) -> Operation {
        var header = OperationHeader(
            type: .message, conversation: conversation, lane: .content, device: person.device,
            sequenceNumber: (previous?.header.sequenceNumber ?? 0) + 1, previous: previous?.id, dependencies: [],
            membershipHeads: [addition.id], time: .earliest, bodyLength: body.count,
            bodyDigest: Operation.digest(of: body))
        change(&header)
        return person.author.write(header, body: body)
    }

    func membership(
        by person: Person, type: OperationType = .merge, body: [UInt8] = [],
        change: (inout OperationHeader) -> Void = { _ in }
    ) -> Operation {
        var header = OperationHeader(
            type: type, conversation: conversation, lane: .membership, device: person.device, sequenceNumber: 1,
            previous: nil, dependencies: [addition.id], membershipHeads: [], time: .earliest, bodyLength: body.count,
            bodyDigest: Operation.digest(of: body))
        change(&header)
        return person.author.write(header, body: body)
    }

    /// The operation with other parts, as a damaged store would give it back.
    static func damaged(
        _ operation: Operation, id: OperationID? = nil, author: Device? = nil, body: [UInt8]? = nil,
        signature: Signature?
    ) throws -> Operation {
        try Operation(
            stored: operation.header, id: id ?? operation.id, author: author ?? operation.author,
            body: body ?? operation.body, signature: signature)
    }
}
