import Cryptography
import OperationLog
import Time

/// What a liar writes with besides its node: signed operations wherever in a chain, and under whatever heads, it wants
/// them.
struct OperationForge {
    let author: Author
    let conversation: ConversationID
    let time: Timestamp

    /// Writes into the membership lane.
    func membership(
        _ type: OperationType, _ body: [UInt8], after tip: ChainTip? = nil, on dependencies: [OperationID]
    ) -> Operation {
        write(type, body, lane: .membership, after: tip, on: dependencies, under: [], isSigned: true)
    }

    /// Writes into the content lane.
    func content(
        _ type: OperationType, _ body: [UInt8], after tip: ChainTip? = nil, on dependencies: [OperationID] = [],
        under heads: [OperationID], epoch: OperationID? = nil, isSigned: Bool = true
    ) -> Operation {
        write(
            type, body, lane: .content, after: tip, on: dependencies, under: heads, epoch: epoch, isSigned: isSigned)
    }

    private func write(
        _ type: OperationType, _ body: [UInt8], lane: Lane, after tip: ChainTip?, on dependencies: [OperationID],
        under heads: [OperationID], epoch: OperationID? = nil, isSigned: Bool
    ) -> Operation {
        let others = dependencies.filter { $0 != tip?.id }.prefix(Limits.maximumDependencies)
        let header = OperationHeader(
            type: type, conversation: conversation, lane: lane, device: author.device.id,
            sequenceNumber: (tip?.sequenceNumber ?? 0) + 1, previous: tip?.id, dependencies: others.sorted(),
            membershipHeads: heads.sorted(), epoch: epoch, time: time, bodyLength: body.count,
            bodyDigest: Operation.digest(of: body))
        return author.write(header, body: body, signing: isSigned)
    }
}

extension Operation {
    /// The end of a chain that ends with this operation.
    var tip: ChainTip { ChainTip(sequenceNumber: header.sequenceNumber, id: id) }
}
