import Cryptography
import Time

/// Queues messages by urgency and seals them chunk by chunk.
///
/// Live messages are packed when they are queued. They leave in that order, and all of them, or the connection ends: so
/// the other side has seen every word that a later one leaves out.
struct Outbox: ~Copyable, Sendable {
    private var cipher: CipherState
    private var framesUnderKey = 0
    private var keySince: Instant
    /// Packs live messages, if the other side reads that.
    private var packer: MessagePacker?
    private var live = Queue()
    private var bulk = Queue()
    /// Bytes that wait, with what each message takes besides.
    private(set) var queuedBytes = 0
    /// Those of live messages.
    private(set) var queuedLiveBytes = 0

    init(cipher: consuming CipherState, since now: Instant, packs: Bool) {
        self.cipher = cipher
        packer = packs ? MessagePacker() : nil
        keySince = now
    }

    /// Queues a message.
    mutating func enqueue(_ message: [UInt8], urgency: SecureChannel.Urgency) {
        switch urgency {
        case .live:
            let packed = packer?.pack(message)
            let queued = Queue.Message(bytes: packed ?? message, isPacked: packed != nil)
            queuedBytes += queued.weight
            queuedLiveBytes += queued.weight
            live.append(queued)
        case .bulk:
            let queued = Queue.Message(bytes: message, isPacked: false)
            queuedBytes += queued.weight
            bulk.append(queued)
        }
    }

    /// Seals chunks until there are `limit` bytes of frames or nothing waits.
    mutating func nextFrames(upTo limit: Int, at now: Instant) throws(ChannelError) -> [UInt8] {
        var frames: [UInt8] = []
        while frames.count < limit, !(live.isEmpty && bulk.isEmpty) {
            if framesUnderKey >= SecureChannel.framesPerKey || now - keySince >= SecureChannel.keyLifetime {
                try seal(.rekey, into: &frames)
                cipher.rekey()
                framesUnderKey = 0
                keySince = now
            }
            let isBulk = live.isEmpty
            let isPacked = !isBulk && live.startsWithPacked
            let (chunk, isLast) = isBulk ? bulk.nextChunk() : live.nextChunk()
            let weight = chunk.count + (isLast ? SecureChannel.messageOverhead : 0)
            queuedBytes -= weight
            if !isBulk { queuedLiveBytes -= weight }
            let kind: FrameKind =
                isBulk ? (isLast ? .bulk : .bulkMore) : isPacked ? .packed : isLast ? .live : .liveMore
            if frames.isEmpty {
                frames.reserveCapacity(min(limit, queuedBytes + chunk.count) + SecureChannel.maximumFrameBytes)
            }
            try seal(kind, chunk, into: &frames)
        }
        return frames
    }

    /// Seals the goodbye.
    mutating func close() throws(ChannelError) -> [UInt8] {
        var frames: [UInt8] = []
        try seal(.close, into: &frames)
        return frames
    }

    private mutating func seal(
        _ kind: FrameKind, _ chunk: ArraySlice<UInt8> = [], into frames: inout [UInt8]
    ) throws(ChannelError) {
        let length = 1 + chunk.count + CipherState.tagByteCount
        frames.append(UInt8(length >> 8))
        frames.append(UInt8(length & 0xFF))
        let start = frames.count
        frames.append(kind.rawValue)
        frames += chunk
        do throws(CryptographyError) {
            try cipher.seal(&frames, from: start)
        } catch {
            throw .badFrame
        }
        framesUnderKey += 1
    }
}

extension Outbox {
    /// Messages of one urgency, the first of them perhaps begun.
    private struct Queue: Sendable {
        /// A message as it is sealed.
        struct Message: Sendable {
            let bytes: [UInt8]
            /// Whether it is packed; then it fits one frame.
            let isPacked: Bool

            /// Its bytes, with what it takes besides.
            var weight: Int { bytes.count + SecureChannel.messageOverhead }
        }

        private var messages: [Message] = []
        private var first = 0
        /// Bytes of the first message that are sealed already.
        private var offset = 0

        /// Whether nothing waits.
        var isEmpty: Bool { first == messages.count }

        /// Whether the next chunk is a packed message.
        var startsWithPacked: Bool { !isEmpty && messages[first].isPacked }

        mutating func append(_ message: Message) {
            messages.append(message)
        }

        /// Takes the next chunk, and whether its message ends with it.
        mutating func nextChunk() -> (chunk: ArraySlice<UInt8>, isLast: Bool) {
            let message = messages[first].bytes
            let end = min(offset + SecureChannel.chunk, message.count)
            let chunk = message[offset..<end]
            offset = end
            if end == message.count { removeFirst() }
            return (chunk, end == message.count)
        }

        private mutating func removeFirst() {
            messages[first] = Message(bytes: [], isPacked: false)
            first += 1
            offset = 0
            // Moving the rest forward only when half is used up costs each message O(1).
            if first * 2 > messages.count {
                messages.removeFirst(first)
                first = 0
            }
        }
    }
}
