import Blobs
import Cryptography
import OperationLog

extension PeerMessage {
    /// The first bytes of the messages of this version; others are passed over.
    public static let kinds: ClosedRange<UInt8> = 1...27

    /// Tags, addresses or people in one message.
    public static let maximumListEntries = 4_096
    /// Chains a message may describe.
    public static let maximumChains = 4_096
    /// Ends of branches that a message may name, of all chains together.
    public static let maximumBranches = 65_536
    /// Ends of branches in a message that its sender aims for; a single chain may have more.
    public static let tipsAimedFor = 4_096

    /// Places in one message.
    public static let maximumAddresses = 64

    /// Bodies that may be asked for at once.
    public static let maximumBodies = 256

    /// Receipts in one message.
    public static let maximumReceipts = 512
    /// Bytes of a receipt; what it says is for others to judge.
    public static let maximumReceiptBytes = 256 * 1024

    /// Bytes of a signal that somebody writes, at most.
    public static let maximumTypingBytes = 512

    /// Chunks that may be asked for at once.
    public static let maximumChunksWanted = 64

    /// The first byte of a message that carries a batch.
    public static let batchKind: UInt8 = 9
    /// The first byte of a message that carries a chunk.
    public static let chunkKind: UInt8 = 26

    /// The bytes of the message.
    public var encoded: [UInt8] {
        var writer = CanonicalWriter()
        switch self {
        case .hello(let epoch, let port, let introduction):
            writer.write(byte: 1)
            writer.write(raw: epoch)
            writer.write(number: UInt64(port))
            writer.write(data: introduction)
        case .tags(let tags):
            writer.write(byte: 2)
            writer.write(count: tags.count)
            for tag in tags { writer.write(raw: tag.bytes) }
        case .announce(let conversation, let root):
            writer.write(byte: 3)
            writer.write(conversation)
            switch root {
            case .group: writer.write(byte: 0)
            case .direct(let first, let second):
                writer.write(byte: 1)
                writer.write(first)
                writer.write(second)
            }
        case .status(let lane, let digest):
            writer.write(byte: 4)
            writer.write(lane)
            writer.write(raw: digest.bytes)
        case .frontier(let lane, let isWanted, let chainList, let numbers):
            writer.write(byte: 5)
            writer.write(lane)
            writer.write(byte: isWanted ? 1 : 0)
            writer.write(raw: chainList.bytes)
            writer.write(count: numbers.count)
            for number in numbers { writer.write(number: number) }
        case .chains(let lane, let isWanted, let part):
            writer.write(byte: 6)
            writer.write(lane)
            writer.write(byte: isWanted ? 1 : 0)
            writer.write(byte: part.after == nil ? 0 : 1)
            if let after = part.after { writer.write(after) }
            writer.write(byte: part.isLast ? 1 : 0)
            writer.write(count: part.chains.count)
            for chain in part.chains {
                writer.write(chain.device)
                writer.write(count: chain.tips.count)
                for tip in chain.tips {
                    writer.write(number: tip.sequenceNumber)
                    writer.write(tip.id)
                }
            }
        case .chainsRequest(let lane):
            writer.write(byte: 7)
            writer.write(lane)
        case .want(let lane, let chains):
            writer.write(byte: 8)
            writer.write(lane)
            writer.write(count: chains.count)
            for (device, known) in chains.sorted(by: { $0.key < $1.key }) {
                writer.write(device)
                switch known {
                case .through(let number):
                    writer.write(byte: 0)
                    writer.write(number: number)
                case .branches(let tips):
                    writer.write(byte: 1)
                    writer.write(ascending: tips.sorted())
                }
            }
        case .batch(let lane, let isAnswer, let bytes):
            writer = CanonicalWriter(capacity: bytes.count + 16)
            writer.write(byte: Self.batchKind)
            writer.write(lane)
            writer.write(byte: isAnswer ? 1 : 0)
            writer.write(raw: bytes)
        case .done(let lane):
            writer.write(byte: 10)
            writer.write(lane)
        case .credit(let bytes):
            writer.write(byte: 11)
            writer.write(count: bytes)
        case .ping(let number):
            writer.write(byte: 12)
            writer.write(number: number)
        case .pong(let number):
            writer.write(byte: 13)
            writer.write(number: number)
        case .addresses(let addresses):
            writer.write(byte: 14)
            writer.write(count: addresses.count)
            for entry in addresses {
                writer.write(entry.device)
                writer.write(text: entry.address)
            }
        case .bodiesWanted(let lane, let ids):
            writer.write(byte: 15)
            writer.write(lane)
            writer.write(ascending: ids)
        case .bodies(let lane, let bodies):
            writer.write(byte: 16)
            writer.write(lane)
            writer.write(count: bodies.count)
            for body in bodies {
                writer.write(body.operation)
                writer.write(data: body.bytes)
            }
        case .receiptDigest(let lane, let digest):
            writer.write(byte: 17)
            writer.write(lane)
            writer.write(raw: digest.bytes)
        case .receiptVersions(let lane, let versions):
            writer.write(byte: 18)
            writer.write(lane)
            writer.write(count: versions.count)
            for entry in versions { entry.write(to: &writer) }
        case .receipts(let lane, let receipts):
            writer.write(byte: 19)
            writer.write(lane)
            writer.write(count: receipts.count)
            for receipt in receipts { writer.write(data: receipt) }
        case .typing(let lane, let signal):
            writer.write(byte: 20)
            writer.write(lane)
            writer.write(raw: signal)
        case .proof(let tag, let invite, let proof):
            writer.write(byte: 21)
            writer.write(raw: tag.bytes)
            writer.write(invite)
            writer.write(raw: proof.signature.bytes)
        case .refusal(let invite, let reason):
            writer.write(byte: 22)
            writer.write(invite)
            writer.write(byte: reason.rawValue)
        case .blobWanted(let lane, let operation):
            writer.write(byte: 23)
            writer.write(lane)
            writer.write(operation)
        case .photoWanted(let user):
            writer.write(byte: 27)
            writer.write(user)
        case .blobHeld(let root, let bits):
            writer.write(byte: 24)
            writer.write(digest: root)
            writer.write(data: bits)
        case .chunksWanted(let root, let indices):
            writer.write(byte: 25)
            writer.write(digest: root)
            writer.write(count: indices.count)
            for index in indices { writer.write(count: index) }
        case .chunk(let root, let bytes):
            writer = CanonicalWriter(capacity: bytes.count + 40)
            writer.write(byte: Self.chunkKind)
            writer.write(digest: root)
            writer.write(raw: bytes)
        }
        return writer.bytes
    }
}
