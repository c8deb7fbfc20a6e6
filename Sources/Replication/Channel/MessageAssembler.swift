/// Joins the chunks of messages, one live and one bulk message at a time.
struct MessageAssembler: Sendable {
    private var live: [UInt8] = []
    private var bulk: [UInt8] = []

    /// Takes in a chunk of a live message; returns the message if it ends here.
    mutating func append(live chunk: ArraySlice<UInt8>, isLast: Bool) throws(ChannelError) -> [UInt8]? {
        try Self.append(chunk, isLast: isLast, to: &live)
    }

    /// Takes in a chunk of a bulk message; returns the message if it ends here.
    mutating func append(bulk chunk: ArraySlice<UInt8>, isLast: Bool) throws(ChannelError) -> [UInt8]? {
        try Self.append(chunk, isLast: isLast, to: &bulk)
    }

    private static func append(
        _ chunk: ArraySlice<UInt8>, isLast: Bool, to message: inout [UInt8]
    ) throws(ChannelError) -> [UInt8]? {
        guard message.count + chunk.count <= SecureChannel.messageLimit else { throw .messageTooLarge }
        guard isLast else {
            // Else a peer could keep us busy with a message that never grows.
            guard !chunk.isEmpty else { throw .badFrame }
            message += chunk
            return nil
        }
        message += chunk
        let whole = message
        message = []
        return whole
    }
}
