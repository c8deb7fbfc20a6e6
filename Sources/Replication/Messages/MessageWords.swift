import Cryptography
import OperationLog

/// Where a message names ids and keys that others before it may have named, too.
///
/// Only what is live and frequent is worth a look: what is pushed, receipts, and signals that somebody types.
enum MessageWords {
    /// A word of 32 bytes in a message.
    struct Word: Hashable {
        /// Where it begins.
        let place: Int
        /// Whether later messages will name it, too: people and devices do not change, while an operation is mostly
        /// named once.
        let isLasting: Bool
    }

    /// The words, in their order; nil for a message of another kind.
    ///
    /// Of what cannot be read, such as a receipt that somebody else has shaped, it finds the words before that.
    static func words(in message: [UInt8]) -> [Word]? {
        var finder = Finder(reader: CanonicalReader(message))
        do throws(MalformedBytes) {
            switch try finder.reader.byte() {
            case BatchMessage.kind: try finder.readBatch()
            case ReceiptsMessage.kind: try finder.readReceipts()
            case TypingMessage.kind: try finder.readTyping()
            default: return nil
            }
        } catch {
            return finder.words
        }
        return finder.words
    }

    private struct Finder {
        var reader: CanonicalReader
        var words: [Word] = []

        mutating func readBatch() throws(MalformedBytes) {
            _ = try reader.laneSlot()
            _ = try reader.flag()
            _ = try reader.data(of: "reached", limit: BatchMessage.maximumReachedBytes)
            let lane = try reader.byte()
            for _ in 0..<(try reader.count(of: "chains", limit: Limits.maximumBatchChains)) {
                try readWords(2)
                // The operation before is named here and nowhere else.
                if try reader.number() > 0 { _ = try reader.digest() }
            }
            let references = try reader.count(of: "references", limit: Limits.maximumBatchReferences)
            try readWords(references, areLasting: false)
            guard lane == Lane.content.rawValue else { return }
            for _ in 0..<(try reader.count(of: "head lists", limit: Limits.maximumBatchOperations)) {
                try readWords(try reader.count(of: "membership heads", limit: Limits.maximumDependencies))
            }
        }

        mutating func readReceipts() throws(MalformedBytes) {
            _ = try reader.laneSlot()
            for _ in 0..<(try reader.count(of: "receipts", limit: PeerMessage.maximumReceipts)) {
                let length = try reader.count(of: "receipt", limit: PeerMessage.maximumReceiptBytes)
                let end = reader.position + length
                try readWords(2)
                _ = try (reader.number(), reader.number())
                for _ in 0..<(try reader.count(of: "devices", limit: length)) {
                    try readWords(1)
                    _ = try (reader.number(), reader.number())
                }
                guard end >= reader.position else { throw .invalid(field: "receipt") }
                _ = try reader.slice(end - reader.position)
            }
            try readWords(try reader.count(of: "absent", limit: PeerMessage.maximumAbsentDevices))
        }

        mutating func readTyping() throws(MalformedBytes) {
            _ = try reader.laneSlot()
            try readWords(3)
        }

        private mutating func readWords(_ count: Int, areLasting: Bool = true) throws(MalformedBytes) {
            for _ in 0..<count {
                let place = reader.position
                _ = try reader.slice(Digest.byteCount)
                words.append(Word(place: place, isLasting: areLasting))
            }
        }
    }
}
