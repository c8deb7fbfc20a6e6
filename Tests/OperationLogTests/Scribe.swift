import Cryptography
import OperationLog
import Time

/// What a batch may not contain besides its operations.
enum Surplus: CaseIterable {
    case reference
    case headList
    case flag
    case lane
}

/// Alice, who writes batches byte by byte as Protocol.md lays them out, and can do it wrong.
struct Scribe {
    let root: SigningKey
    let author: Author
    let conversation = ConversationID(digest: .hash("test", [1]))
    let head = OperationID(digest: .hash("test", [2]))

    init() throws {
        guard let root = SigningKey(seed: Array(repeating: 1, count: 32)),
            let device = SigningKey(seed: Array(repeating: 2, count: 32))
        else { throw MalformedBytes.invalid(field: "seed") }
        self.root = root
        author = Author(user: UserID(root.verifyingKey), key: device)
    }

    func message(_ text: String, after previous: Operation? = nil) -> Operation {
        operation(.message, in: .content, body: Array(text.utf8), after: previous)
    }

    func rename(after previous: Operation? = nil) -> Operation {
        operation(.set, in: .membership, body: [], after: previous)
    }

    private func operation(_ type: OperationType, in lane: Lane, body: [UInt8], after previous: Operation?) -> Operation
    {
        let header = OperationHeader(
            type: type, conversation: conversation, lane: lane, device: author.device.id,
            sequenceNumber: (previous?.header.sequenceNumber ?? 0) + 1, previous: previous?.id, dependencies: [],
            membershipHeads: lane == .content ? [head] : [], time: .earliest, bodyLength: body.count,
            bodyDigest: Operation.digest(of: body))
        return author.write(header, body: body)
    }

    /// The tables of a batch whose one chain starts at the beginning.
    func start(of lane: Lane, with surplus: Surplus? = nil) -> CanonicalWriter {
        var writer = CanonicalWriter()
        writer.write(byte: surplus == .lane ? 2 : lane.rawValue)
        writer.write(count: 1)
        writer.write(author.device.user)
        writer.write(raw: author.device.key.bytes)
        writer.write(number: 0)
        writer.write(ascending: surplus == .reference ? [head] : [OperationID]())
        if lane == .content {
            writer.write(count: surplus == .headList ? 2 : 1)
            writer.write(ascending: [head])
            if surplus == .headList { writer.write(ascending: [OperationID(digest: .hash("test", [3]))]) }
        }
        return writer
    }

    func write(
        _ operation: Operation, to writer: inout CanonicalWriter, isSigned: Bool, after previous: Operation? = nil,
        with surplus: Surplus? = nil
    ) {
        writer.write(byte: (isSigned ? 3 : 1) | (surplus == .flag ? 8 : 0))
        writer.write(count: 0)
        writer.write(number: operation.header.type.rawValue)
        writer.write(difference: operation.header.time.milliseconds - (previous?.header.time.milliseconds ?? 0))
        writer.write(count: 0)
        if operation.header.lane == .content { writer.write(count: 0) }
        writer.write(data: operation.body ?? [])
        if isSigned, let signature = operation.signature { writer.write(raw: signature.bytes) }
    }

    func encode(_ operation: Operation, with surplus: Surplus? = nil, isSigned: Bool = true) -> [UInt8] {
        var writer = start(of: operation.header.lane, with: surplus)
        writer.write(count: 1)
        write(operation, to: &writer, isSigned: isSigned, with: surplus)
        return writer.bytes
    }
}
