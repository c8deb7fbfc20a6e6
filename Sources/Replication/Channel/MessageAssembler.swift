/// Joins the chunks of messages, one live and one bulk message at a time, and unpacks those that are packed.
struct MessageAssembler: Sendable {
    private var live = Partial()
    private var bulk = Partial()
    private var unpacker = MessageUnpacker()

    /// Bytes of messages that have not come whole.
    var byteCount: Int { live.byteCount + bulk.byteCount }

    /// Takes in a chunk of a live message; returns the message if it ends here.
    mutating func append(live chunk: ArraySlice<UInt8>, isLast: Bool) throws(ChannelError) -> [UInt8]? {
        try live.append(chunk, isLast: isLast)
    }

    /// Takes in a whole live message that is packed. One live message at a time comes, so none can be under way.
    mutating func append(packed chunk: ArraySlice<UInt8>) throws(ChannelError) -> [UInt8] {
        guard live.byteCount == 0 else { throw .badFrame }
        return try unpacker.unpack(chunk)
    }

    /// Takes in a chunk of a bulk message; returns the message if it ends here.
    mutating func append(bulk chunk: ArraySlice<UInt8>, isLast: Bool) throws(ChannelError) -> [UInt8]? {
        try bulk.append(chunk, isLast: isLast)
    }
}

extension MessageAssembler {
    /// The chunks of one message as far as they have come.
    private struct Partial: Sendable {
        private var bytes: [UInt8] = []
        var byteCount: Int { bytes.count }
        /// Bytes of the last message that came in several chunks, if not too many. The next one mostly has as many:
        /// with room for them it never moves.
        private var usualCount = 0
        /// A peer must not make every small message take the room of a large one.
        private static let maximumUsualBytes = 8 * SecureChannel.chunk

        mutating func append(_ chunk: ArraySlice<UInt8>, isLast: Bool) throws(ChannelError) -> [UInt8]? {
            guard bytes.count + chunk.count <= SecureChannel.maximumMessageBytes else { throw .messageTooLarge }
            guard isLast else {
                // Else a peer could keep us busy with a message that never grows.
                guard !chunk.isEmpty else { throw .badFrame }
                if bytes.isEmpty { bytes.reserveCapacity(usualCount) }
                bytes += chunk
                return nil
            }
            guard !bytes.isEmpty else { return Array(chunk) }
            bytes += chunk
            usualCount = min(bytes.count, Self.maximumUsualBytes)
            defer { bytes = [] }
            return bytes
        }
    }
}
