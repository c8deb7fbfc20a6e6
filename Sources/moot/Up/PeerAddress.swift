import StreamTransport

/// The address of another node as a user writes it: `HOST:PORT`.
enum PeerAddress {
    /// Whether a text is one, whatever is at that place.
    static func isOne(_ text: String) -> Bool {
        do throws(TransportError) {
            let place = try HostAndPort(text)
            // What is meant for listening names no host to dial, and no port.
            return !place.host.isEmpty && place.port > 0
        } catch {
            return false
        }
    }
}
