import Cryptography
import Foundation
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
            return try JSONDecoder().decode(File.self, from: Data(contentsOf: fixture("noise-xx.json"))).vectors
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
        var (forth, forthReceiving) = (initiator.split().sending, responder.split().receiving)
        var (back, backReceiving) = (responder.split().sending, initiator.split().receiving)
        for (index, message) in vector.messages.enumerated().dropFirst(HandshakeState.messageCount) {
            if index % 2 == 0 {
                #expect(try forth.encrypt(message.payload.bytes) == message.ciphertext.bytes)
                #expect(try forthReceiving.decrypt(message.ciphertext.bytes) == message.payload.bytes)
            } else {
                #expect(try back.encrypt(message.payload.bytes) == message.ciphertext.bytes)
                #expect(try backReceiving.decrypt(message.ciphertext.bytes) == message.payload.bytes)
            }
        }
    }
}
