import Cryptography

/// Makes both sides of a handshake.
enum HandshakePair {
    /// Two sides that have never met.
    static func fresh(
        using random: inout some RandomNumberGenerator, prologues: ([UInt8], [UInt8]) = ([1], [1])
    ) -> (initiator: HandshakeState, responder: HandshakeState) {
        (
            HandshakeState(
                role: .initiator, staticKey: .generate(using: &random), ephemeralKey: .generate(using: &random),
                prologue: prologues.0),
            HandshakeState(
                role: .responder, staticKey: .generate(using: &random), ephemeralKey: .generate(using: &random),
                prologue: prologues.1)
        )
    }
}
