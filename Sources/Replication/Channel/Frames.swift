import Cryptography

/// The first byte of a frame's plaintext.
enum FrameKind: UInt8 {
    /// The last chunk of a live message.
    case live = 0x00
    /// A chunk of a live message that goes on.
    case liveMore = 0x01
    /// From the next frame on, this direction uses the next key.
    case rekey = 0x02
    /// Nothing follows.
    case close = 0x03
    /// The last chunk of a bulk message.
    case bulk = 0x10
    /// A chunk of a bulk message that goes on.
    case bulkMore = 0x11
}

/// Joins the chunks of messages, one live and one bulk message at a time.
struct MessageAssembler: Sendable {
    private var live: [UInt8] = []
    private var bulk: [UInt8] = []

    /// Takes in a chunk with its kind byte; returns a message that is whole.
    mutating func append(_ plaintext: [UInt8], kind: FrameKind) throws(ChannelError) -> [UInt8]? {
        let isBulk = kind == .bulk || kind == .bulkMore
        let started = isBulk ? bulk.count : live.count
        guard started + plaintext.count - 1 <= SecureChannel.messageLimit else { throw .messageTooLarge }
        if isBulk { bulk += plaintext.dropFirst() } else { live += plaintext.dropFirst() }
        guard kind == .live || kind == .bulk else { return nil }
        defer { if isBulk { bulk = [] } else { live = [] } }
        return isBulk ? bulk : live
    }
}

/// Queues messages by urgency and seals them chunk by chunk.
struct Outbox: Sendable {
    private struct Queue: Sendable {
        var messages: [[UInt8]] = []
        var first = 0
        /// Bytes of the first message that are sealed already.
        var offset = 0

        var isEmpty: Bool { first == messages.count }

        /// Takes the next chunk, and whether its message ends with it.
        mutating func nextChunk() -> (chunk: ArraySlice<UInt8>, isLast: Bool) {
            let message = messages[first]
            let end = min(offset + SecureChannel.chunk, message.count)
            let chunk = message[offset..<end]
            offset = end
            if end == message.count { removeFirst() }
            return (chunk, end == message.count)
        }

        private mutating func removeFirst() {
            messages[first] = []
            first += 1
            offset = 0
            if first == messages.count {
                messages = []
                first = 0
            } else if first > 64, first * 2 > messages.count {
                messages.removeFirst(first)
                first = 0
            }
        }
    }

    private var cipher: CipherState
    private var framesUnderKey = 0
    private var keySince: Instant
    private var live = Queue()
    private var bulk = Queue()
    /// Bytes that wait.
    private(set) var queuedBytes = 0

    init(cipher: CipherState, since now: Instant) {
        self.cipher = cipher
        keySince = now
    }

    mutating func enqueue(_ message: [UInt8], urgency: SecureChannel.Urgency) {
        queuedBytes += message.count
        switch urgency {
        case .live: live.messages.append(message)
        case .bulk: bulk.messages.append(message)
        }
    }

    mutating func nextFrames(upTo limit: Int, at now: Instant) throws(ChannelError) -> [UInt8] {
        var frames: [UInt8] = []
        while frames.count < limit, !(live.isEmpty && bulk.isEmpty) {
            if framesUnderKey >= SecureChannel.framesPerKey || now - keySince >= SecureChannel.keyLife {
                try seal(.rekey, [], into: &frames)
                cipher.rekey()
                framesUnderKey = 0
                keySince = now
            }
            let isBulk = live.isEmpty
            let (chunk, isLast) = isBulk ? bulk.nextChunk() : live.nextChunk()
            queuedBytes -= chunk.count
            let kind: FrameKind = isBulk ? (isLast ? .bulk : .bulkMore) : (isLast ? .live : .liveMore)
            try seal(kind, chunk, into: &frames)
        }
        return frames
    }

    mutating func close() throws(ChannelError) -> [UInt8] {
        var frames: [UInt8] = []
        try seal(.close, [], into: &frames)
        return frames
    }

    private mutating func seal(
        _ kind: FrameKind, _ chunk: ArraySlice<UInt8>, into frames: inout [UInt8]
    ) throws(ChannelError) {
        do throws(CryptographyError) {
            let sealed = try cipher.encrypt([kind.rawValue] + chunk)
            frames.append(UInt8(sealed.count >> 8))
            frames.append(UInt8(sealed.count & 0xFF))
            frames += sealed
            framesUnderKey += 1
        } catch {
            throw .badFrame
        }
    }
}
