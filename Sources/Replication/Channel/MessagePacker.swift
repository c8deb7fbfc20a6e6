import Cryptography
import OperationLog

/// Packs the messages of one direction of a channel: words that were sent before are left out.
///
/// A pushed message of a person names their user id, their key, the epoch and the membership heads, like the one before
/// it. A receipt names all devices of a conversation. So most of what is live and frequent consists of such words.
struct MessagePacker: Sendable {
    /// The longest message that is packed, in bytes. Packed it still fits one frame: each word that it has adds three
    /// bytes at most.
    static let maximumMessageBytes = 12 * 1024

    private var remembered = RememberedWords<Digest>()
    /// How those of the words begin that were sent in full lately and may never come again. One is remembered if it
    /// does: else the ids of operations would push out all others.
    private var candidates = RememberedWords<UInt64>()

    /// Packs the next message; nil if it is sent as it is.
    ///
    /// What it returns must be sent, and before everything that is packed later: the other side remembers what this one
    /// does.
    ///
    /// - Complexity: O(*n*) in the bytes, and a look at ``RememberedWords/maximumCount`` words for each word of the
    ///   message.
    mutating func pack(_ message: [UInt8]) -> [UInt8]? {
        guard message.count <= Self.maximumMessageBytes, let words = MessageWords.words(in: message) else {
            return nil
        }
        var writer = CanonicalWriter(capacity: message.count)
        var start = 0
        for found in words {
            let place = found.place
            guard let word = Digest(bytes: message[place..<place + Digest.byteCount]) else { continue }
            let known = remembered.place(of: word)
            if known == nil, !found.isLasting {
                let beginning = message[place..<place + 8].reduce(0) { $0 << 8 | UInt64($1) }
                guard candidates.place(of: beginning) != nil else {
                    candidates.remember(beginning)
                    continue
                }
            }
            writer.write(data: message[start..<place])
            writer.write(count: known.map { $0 + 1 } ?? 0)
            if known == nil {
                writer.write(digest: word)
                remembered.remember(word)
            }
            start = place + Digest.byteCount
        }
        guard start > 0 else { return nil }
        if start < message.count { writer.write(data: message[start...]) }
        return writer.bytes
    }
}
