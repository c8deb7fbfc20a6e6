import StreamTransport

extension Decoder {
    /// An address as people and peers write it.
    static let address = Decoder("address") { bytes in
        guard let text = String(validating: bytes, as: UTF8.self) else { return .refused("not_utf8") }
        let named: HostAndPort
        do throws(TransportError) {
            named = try HostAndPort(text)
        } catch {
            try promise("a numeric address is one of those with names", SocketAddress(text) == nil)
            return .refused(error.code)
        }
        if let address = SocketAddress(text) {
            try promise("an address reads what it writes", SocketAddress(address.description) == address)
            try promise("both readers agree on the port", address.port == named.port)
        }
        return .accepted
    }
}
