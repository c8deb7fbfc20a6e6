import Cryptography
import CryptographyFixtures
import Testing

@Suite("The Noise XX handshake")
struct HandshakeTests {
    /// A published test vector.
    struct Vector: Decodable, CustomTestStringConvertible {
        struct Message: Decodable {
            let payload: Hexadecimal
            let ciphertext: Hexadecimal
        }

        let source: String
        let prologue: Hexadecimal
        let initiatorStatic: Hexadecimal
        let initiatorEphemeral: Hexadecimal
        let responderStatic: Hexadecimal
        let responderEphemeral: Hexadecimal
        let handshakeHash: Hexadecimal?
        let messages: [Message]
        var testDescription: String { source }

        static func all() throws -> [Vector] {
            struct File: Decodable { let vectors: [Vector] }
            return try Fixture.load("noise-xx.json", as: File.self).vectors
        }

        func initiator() throws -> HandshakeState {
            HandshakeState(
                role: .initiator, staticKey: try #require(AgreementKey(secret: initiatorStatic.bytes)),
                ephemeralKey: try #require(AgreementKey(secret: initiatorEphemeral.bytes)), prologue: prologue.bytes)
        }

        func responder() throws -> HandshakeState {
            HandshakeState(
                role: .responder, staticKey: try #require(AgreementKey(secret: responderStatic.bytes)),
                ephemeralKey: try #require(AgreementKey(secret: responderEphemeral.bytes)), prologue: prologue.bytes)
        }
    }

    @Test(arguments: try Vector.all())
    func `agrees with the published vectors byte for byte`(vector: Vector) throws {
        var initiator = try vector.initiator()
        var responder = try vector.responder()
        for (index, message) in vector.messages.prefix(HandshakeState.messageCount).enumerated() {
            #expect(initiator.isOurTurn == (index % 2 == 0))
            #expect(responder.isOurTurn == (index % 2 == 1))
            var before: [UInt8] = []
            let payload: (payload: [UInt8], transcript: [UInt8])
            if initiator.isOurTurn {
                let written = try initiator.write {
                    before = $0
                    return message.payload.bytes
                }
                #expect(written == message.ciphertext.bytes)
                payload = try responder.read(written)
            } else {
                let written = try responder.write {
                    before = $0
                    return message.payload.bytes
                }
                #expect(written == message.ciphertext.bytes)
                payload = try initiator.read(written)
            }
            #expect(payload.payload == message.payload.bytes)
            #expect(payload.transcript == before)
            #expect(initiator.transcript == responder.transcript)
        }
        #expect(initiator.isFinished && responder.isFinished)
        #expect(initiator.remoteStatic == responder.localStatic)
        #expect(responder.remoteStatic == initiator.localStatic)
        if let hash = vector.handshakeHash { #expect(initiator.transcript == hash.bytes) }
        var dialer = initiator.split()
        var acceptor = responder.split()
        for (index, message) in vector.messages.enumerated().dropFirst(HandshakeState.messageCount) {
            if index % 2 == 0 {
                #expect(try dialer.sending.sealing(message.payload.bytes) == message.ciphertext.bytes)
                #expect(try acceptor.receiving.opening(message.ciphertext.bytes) == message.payload.bytes)
            } else {
                #expect(try acceptor.sending.sealing(message.payload.bytes) == message.ciphertext.bytes)
                #expect(try dialer.receiving.opening(message.ciphertext.bytes) == message.payload.bytes)
            }
        }
    }

    /// Every byte of each message in turn is changed; the side that reads it, or the next one to read, must notice.
    @Test
    func `a change of any byte of a message is noticed before the handshake is over`() throws {
        for attacked in 0..<HandshakeState.messageCount {
            var index = 0
            var count = 1
            while index < count {
                var pair = HandshakePair()
                var noticed = false
                for step in 0..<HandshakeState.messageCount where !noticed {
                    do throws(CryptographyError) {
                        var message =
                            pair.initiator.isOurTurn
                            ? try pair.initiator.write { _ in [1, 2, 3] } : try pair.responder.write { _ in [1, 2, 3] }
                        if step == attacked {
                            count = message.count
                            message[index] ^= 0x40
                        }
                        _ = try step % 2 == 0 ? pair.responder.read(message) : pair.initiator.read(message)
                    } catch {
                        #expect(error == .authentication)
                        noticed = true
                    }
                }
                #expect(noticed, "byte \(index) of message \(attacked + 1)")
                index += 1
            }
        }
    }

    @Test
    func `a message that is cut short is refused`() throws {
        var whole = HandshakePair()
        let first = try whole.initiator.write { _ in [] }
        for count in first.indices {
            var pair = HandshakePair()
            #expect(throws: CryptographyError.authentication) { try pair.responder.read(Array(first.prefix(count))) }
        }
        _ = try whole.responder.read(first)
        let second = try whole.responder.write { _ in [] }
        for count in second.indices {
            var pair = HandshakePair()
            _ = try pair.initiator.write { _ in [] }
            #expect(throws: CryptographyError.authentication) { try pair.initiator.read(Array(second.prefix(count))) }
        }
    }

    @Test
    func `another prologue does not get beyond the second message`() throws {
        var random = SplitMix64(seed: 1)
        var pair = HandshakePair(using: &random, prologues: ([1], [2]))
        _ = try pair.responder.read(pair.initiator.write { _ in [] })
        let second = try pair.responder.write { _ in [] }
        #expect(throws: CryptographyError.authentication) { try pair.initiator.read(second) }
    }

    @Test(arguments: AgreementKeyTests.weakKeys)
    func `an ephemeral key that would make the secret zero ends the handshake`(key: [UInt8]) throws {
        var pair = HandshakePair()
        _ = try pair.responder.read(key)
        #expect(throws: CryptographyError.weakKey) { try pair.responder.write { _ in [] } }
    }
}
