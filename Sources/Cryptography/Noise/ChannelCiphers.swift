/// The two directions of a channel after its handshake.
@frozen public struct ChannelCiphers: ~Copyable, Sendable {
    /// What this side seals with.
    public var sending: CipherState
    /// What this side opens with.
    public var receiving: CipherState

    init(sending: consuming CipherState, receiving: consuming CipherState) {
        self.sending = sending
        self.receiving = receiving
    }
}
