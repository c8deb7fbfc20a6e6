import Cryptography
import OperationLog

/// Puts back the words that a ``MessagePacker`` at the other end of a channel has left out.
struct MessageUnpacker: Sendable {
    /// The longest message that comes packed, in bytes: what one frame holds. A few bytes must not become many.
    static let maximumMessageBytes = SecureChannel.chunk

    private var remembered = RememberedWords<Digest>()

    /// Rebuilds a message.
    ///
    /// - Throws: ``ChannelError/badPacking`` for a word that was not sent, a message that is too long, and bytes that
    ///   end too early.
    mutating func unpack(_ packed: ArraySlice<UInt8>) throws(ChannelError) -> [UInt8] {
        do throws(MalformedBytes) {
            return try unpack(CanonicalReader(Array(packed)))
        } catch {
            throw .badPacking
        }
    }

    private mutating func unpack(_ packed: consuming CanonicalReader) throws(MalformedBytes) -> [UInt8] {
        var reader = packed
        var message: [UInt8] = []
        message.reserveCapacity(2 * reader.remaining)
        while reader.remaining > 0 {
            let count = try reader.count(of: "bytes", limit: Self.maximumMessageBytes - message.count)
            message += try reader.slice(count)
            guard reader.remaining > 0 else { break }
            guard message.count + Digest.byteCount <= Self.maximumMessageBytes else {
                throw .tooLong(field: "message", limit: Self.maximumMessageBytes)
            }
            let word = try word(from: &reader)
            word.withUnsafeBytes { message.append(contentsOf: $0) }
        }
        return message
    }

    private mutating func word(from reader: inout CanonicalReader) throws(MalformedBytes) -> Digest {
        let number = try reader.count(of: "word", limit: RememberedWords<Digest>.maximumCount)
        guard number == 0 else {
            guard let word = remembered[number - 1] else { throw .invalid(field: "word") }
            return word
        }
        let word = try reader.digest()
        remembered.remember(word)
        return word
    }
}
