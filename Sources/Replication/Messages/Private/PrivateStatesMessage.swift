import OperationLog

extension PeerMessage {
    /// States in one message.
    public static let maximumPrivateStates = 1_024
}

/// ``PrivateMessage/states(_:)`` as bytes.
enum PrivateStatesMessage: MessageKind {
    static let kind: UInt8 = 42
    static let purpose = MessagePurpose.ownDevices
    static let circle = MessageCircle.ownDevices
    /// States, each of which may cost a look at the disk; a device that comes may bring one for each conversation.
    private static let limit = RateLimit(of: kind, burst: 1 << 14, every: .milliseconds(10), counts: .entries)
    /// Messages of them, each of which may cost a commit; an answer of 1 MiB takes 16 at most.
    private static let messageLimit = RateLimit(of: kind, burst: 1 << 7, every: .milliseconds(100))

    static func limits(isOutside: Bool) -> [RateLimit] { [messageLimit, limit] }

    static func write(_ entries: [PrivateEntry], to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(count: entries.count)
        for entry in entries {
            entry.subject.write(to: &writer)
            writer.write(data: entry.state)
        }
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        var entries: [PrivateEntry] = []
        let count = try reader.count(
            of: "states", limit: PeerMessage.maximumPrivateStates, each: PrivateSubject.byteCount + 1)
        for _ in 0..<count {
            let subject = try PrivateSubject(from: &reader)
            if let last = entries.last, last.subject >= subject { throw .unsorted(field: "states") }
            entries.append(
                PrivateEntry(of: subject, state: try reader.data(of: "state", limit: PrivateEntry.maximumStateBytes)))
        }
        return .privateState(.states(entries))
    }
}
