import OperationLog

extension PeerMessage {
    /// Places in one message.
    public static let maximumAddresses = 64
}

/// ``PeopleMessage/addresses(_:)`` as bytes.
enum AddressesMessage: MessageKind {
    static let kind: UInt8 = 14
    static let purpose = MessagePurpose.acquaintance
    static let circle = MessageCircle.anybody
    /// Places where others may be.
    private static let limit = RateLimit(of: kind, burst: 512, every: .milliseconds(250), counts: .entries)

    static func limits(isOutside: Bool) -> [RateLimit] { [limit] }

    static func write(_ addresses: [PeerAddress], to writer: inout CanonicalWriter) {
        writer.write(byte: kind)
        writer.write(count: addresses.count)
        for entry in addresses {
            writer.write(entry.device)
            writer.write(text: entry.address)
        }
    }

    static func read(_ reader: inout CanonicalReader) throws(MalformedBytes) -> PeerMessage {
        var addresses: [PeerAddress] = []
        for _ in 0..<(try reader.count(of: "addresses", limit: PeerMessage.maximumAddresses, each: 33)) {
            addresses.append(
                PeerAddress(
                    device: try reader.identifier(),
                    address: try reader.text(of: "address", limit: PeerAddress.maximumTextBytes)))
        }
        return .people(.addresses(addresses))
    }
}
