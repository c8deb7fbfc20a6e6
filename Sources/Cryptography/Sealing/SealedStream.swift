import CSodium

/// Seals what is too long for one piece: XChaCha20-Poly1305, chained by libsodium's `crypto_secretstream`.
///
/// Pieces can be opened only all of them and in order, and the last one says that it is the last: what was cut off is
/// noticed.
public final class StreamSealer {
    /// Bytes of the header.
    public static let headerByteCount = Int(crypto_secretstream_xchacha20poly1305_HEADERBYTES)
    /// Bytes that sealing adds to a piece.
    public static let overhead = Int(crypto_secretstream_xchacha20poly1305_ABYTES)

    /// What the reader needs besides the key; drawn anew for each stream.
    public let header: [UInt8]
    private var state: crypto_secretstream_xchacha20poly1305_state

    /// Begins a stream.
    public init(under key: StorageKey) {
        var header = [UInt8](repeating: 0, count: Self.headerByteCount)
        var state = crypto_secretstream_xchacha20poly1305_state()
        key.withUnsafeBytes {
            _ = crypto_secretstream_xchacha20poly1305_init_push(&state, &header, $0.octets)
        }
        (self.header, self.state) = (header, state)
        sodium_memzero(&state, MemoryLayout.size(ofValue: state))
    }

    deinit {
        sodium_memzero(&state, MemoryLayout.size(ofValue: state))
    }

    /// Seals the next piece.
    ///
    /// - Parameters:
    ///   - context: Bytes that the reader knows, too, and that must be the same there.
    ///   - isLast: Whether nothing follows.
    /// - Returns: ``overhead`` bytes more than the piece has.
    public func seal(_ piece: [UInt8], in context: [UInt8] = [], isLast: Bool) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: piece.count + Self.overhead)
        let tag =
            isLast
            ? crypto_secretstream_xchacha20poly1305_tag_final() : crypto_secretstream_xchacha20poly1305_tag_message()
        _ = crypto_secretstream_xchacha20poly1305_push(
            &state, &sealed, nil, piece, UInt64(piece.count), context, UInt64(context.count), tag)
        return sealed
    }
}

/// Opens what a ``StreamSealer`` sealed.
public final class StreamOpener {
    private var state: crypto_secretstream_xchacha20poly1305_state

    /// Begins with the header of a stream; nil if that has another length.
    public init?(_ header: [UInt8], under key: StorageKey) {
        guard header.count == StreamSealer.headerByteCount else { return nil }
        var state = crypto_secretstream_xchacha20poly1305_state()
        let result = key.withUnsafeBytes {
            crypto_secretstream_xchacha20poly1305_init_pull(&state, header, $0.octets)
        }
        guard result == 0 else { return nil }
        self.state = state
        sodium_memzero(&state, MemoryLayout.size(ofValue: state))
    }

    deinit {
        sodium_memzero(&state, MemoryLayout.size(ofValue: state))
    }

    /// Opens the next piece.
    ///
    /// - Returns: the piece, and whether it is the last.
    /// - Throws: ``CryptographyError/authentication`` if it was changed, is out of order, or was sealed under another
    ///   key or in another context.
    public func open(
        _ sealed: [UInt8], in context: [UInt8] = []
    ) throws(CryptographyError) -> (piece: [UInt8], isLast: Bool) {
        guard sealed.count >= StreamSealer.overhead else { throw .authentication }
        var piece = [UInt8](repeating: 0, count: sealed.count - StreamSealer.overhead)
        var tag: UInt8 = 0
        let result = crypto_secretstream_xchacha20poly1305_pull(
            &state, &piece, nil, &tag, sealed, UInt64(sealed.count), context, UInt64(context.count))
        guard result == 0 else { throw .authentication }
        return (piece, tag == crypto_secretstream_xchacha20poly1305_tag_final())
    }
}
