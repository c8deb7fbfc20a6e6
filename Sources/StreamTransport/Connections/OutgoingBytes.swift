/// Bytes waiting to be sent, in order.
///
/// Large pieces are kept as they were given, without a copy; small ones are gathered, so that many small messages cost
/// one system call.
struct OutgoingBytes: Sendable {
    /// Pieces are gathered up to this size.
    static let gatheredByteCount = 64 << 10

    private var chunks: [[UInt8]] = []
    /// The index of the first chunk that is not gone yet.
    private var first = 0
    /// How much of that chunk is gone.
    private var offset = 0
    /// How many bytes wait.
    private(set) var count = 0

    /// Whether nothing waits.
    var isEmpty: Bool { count == 0 }

    /// Adds bytes behind all others.
    mutating func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        count += bytes.count
        let last = chunks.count - 1
        // The first chunk may be in use by a write just now: adding to it would copy it.
        if last > first, chunks[last].count + bytes.count <= Self.gatheredByteCount {
            chunks[last] += bytes
        } else {
            chunks.append(bytes)
        }
    }

    /// What to send next: a chunk, and how much of it has gone before; nil when nothing waits.
    var next: (chunk: [UInt8], offset: Int)? {
        isEmpty ? nil : (chunks[first], offset)
    }

    /// Forgets the first bytes, which were sent.
    ///
    /// - Precondition: They are part of the chunk that ``next`` gives.
    mutating func removeFirst(_ sent: Int) {
        precondition(sent <= count, "no more can be sent than waits")
        count -= sent
        offset += sent
        guard first < chunks.count, offset == chunks[first].count else { return }
        chunks[first] = []
        first += 1
        offset = 0
        if first == chunks.count {
            chunks.removeAll(keepingCapacity: first <= 64)
            first = 0
        } else if first > 1024 {
            chunks.removeFirst(first)
            first = 0
        }
    }

    /// Forgets everything.
    mutating func removeAll() {
        self = OutgoingBytes()
    }
}
