import Cryptography

/// Both sides of a handshake that have never met.
struct HandshakePair: ~Copyable {
    var initiator: HandshakeState
    var responder: HandshakeState

    init(using random: inout some RandomNumberGenerator, prologues: ([UInt8], [UInt8]) = ([1], [1])) {
        initiator = HandshakeState(
            role: .initiator, staticKey: .generate(using: &random), ephemeralKey: .generate(using: &random),
            prologue: prologues.0)
        responder = HandshakeState(
            role: .responder, staticKey: .generate(using: &random), ephemeralKey: .generate(using: &random),
            prologue: prologues.1)
    }

    /// Two sides that are the same each time.
    init() {
        var random = SplitMix64(seed: 1)
        self.init(using: &random)
    }
}
