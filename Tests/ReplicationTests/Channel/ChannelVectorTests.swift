import Cryptography
import CryptographyFixtures
import OperationLog
import OperationLogFixtures
import Replication
import Testing
import Time

/// Compares with bytes that were made independently from the words of Protocol.md.
@Suite("Known answers of the channel")
struct ChannelVectorTests {
    struct Vectors: Decodable {
        struct Party: Decodable {
            let root: Hexadecimal
            let device: Hexadecimal
            let deviceID: String
            let `static`: Hexadecimal
            let ephemeral: Hexadecimal
            let record: Hexadecimal
        }

        struct Frame: Decodable {
            let message: Hexadecimal?
            let frame: Hexadecimal
        }

        struct Channel: Decodable {
            let initiator: Party
            let responder: Party
            let handshake: [Hexadecimal]
            let handshakeHash: Hexadecimal
            let initiatorFrames: [Frame]
            let responderFrame: Frame
        }

        struct Operations: Decodable {
            let root: Hexadecimal
            let device: Hexadecimal
            let user: String
            let deviceID: String
            let header: Hexadecimal
            let operationID: String
            let statement: Hexadecimal
            let signature: Hexadecimal
            let body: Hexadecimal
            let bodyDigest: String
            let otherUser: String
            let directConversation: String
            let deviceName: String
            let serial: UInt64
            let identityRecord: Hexadecimal
        }

        let channel: Channel
        let operations: Operations
    }

    private static func channel(_ party: Vectors.Party, _ role: HandshakeState.Role) throws -> SecureChannel {
        let root = try #require(SigningKey(seed: party.root.bytes))
        let author = Author(
            user: UserID(root.verifyingKey), key: try #require(SigningKey(seed: party.device.bytes)))
        #expect(author.device.id.description == party.deviceID)
        let record = IdentityRecord(
            root: root, serial: 1,
            devices: [.init(device: author.device, name: role == .initiator ? "initiator" : "responder")])
        #expect(record.encoded == party.record.bytes)
        var random = ScriptedRandom(party.ephemeral.bytes)
        return SecureChannel(
            role: role, author: author, record: record,
            channelKey: try #require(AgreementKey(secret: party.static.bytes)),
            expecting: nil, using: &random)
    }

    @Test
    func `a handshake and its frames have exactly these bytes`() throws {
        let vectors = try Fixture.load("crypto-vectors.json", as: Vectors.self).channel
        let now = Instant(sinceStart: .zero)
        var initiator = try Self.channel(vectors.initiator, .initiator)
        var responder = try Self.channel(vectors.responder, .responder)
        let first = try initiator.start()
        let second = try responder.receive(first, at: now).reply
        let third = try initiator.receive(second, at: now)
        #expect([first, second, third.reply] == vectors.handshake.map(\.bytes))
        guard case .established(_, let transcript)? = third.events.first else {
            Issue.record("the channel is not open")
            return
        }
        #expect(transcript == vectors.handshakeHash.bytes)
        _ = try responder.receive(third.reply, at: now)

        let bulk = (0..<20_000).map { UInt8($0 % 251) }
        var sent: [UInt8] = []
        initiator.enqueue(Array("hello".utf8), urgency: .live)
        initiator.enqueue(bulk, urgency: .bulk)
        sent += try initiator.nextFrames(upTo: .max, at: now)
        let anHourLater = now + SecureChannel.keyLifetime
        initiator.enqueue(Array("under the next key".utf8), urgency: .live)
        sent += try initiator.nextFrames(upTo: .max, at: anHourLater)
        sent += try initiator.close()
        #expect(sent == vectors.initiatorFrames.flatMap(\.frame.bytes))
        let hello = Array("hello".utf8)
        #expect(
            try responder.receive(sent.dropLast(vectors.initiatorFrames.last?.frame.bytes.count ?? 0), at: now).events
                == [
                    .message(hello), .message(bulk), .message(Array("under the next key".utf8)),
                ])
        responder.enqueue(try #require(vectors.responderFrame.message).bytes, urgency: .live)
        #expect(try responder.nextFrames(upTo: .max, at: now) == vectors.responderFrame.frame.bytes)
    }

    @Test
    func `ids, labels and records have exactly these bytes`() throws {
        let vectors = try Fixture.load("crypto-vectors.json", as: Vectors.self).operations
        let root = try #require(SigningKey(seed: vectors.root.bytes))
        let key = try #require(SigningKey(seed: vectors.device.bytes))
        let user = UserID(root.verifyingKey)
        let author = Author(user: user, key: key)
        #expect(user.description == vectors.user)
        #expect(author.device.id.description == vectors.deviceID)
        let id = Operation.id(of: vectors.header.bytes)
        #expect(id.description == vectors.operationID)
        #expect(Operation.statement(of: id) == vectors.statement.bytes)
        #expect(key.sign(Operation.statement(of: id)).bytes == vectors.signature.bytes)
        #expect(Operation.digest(of: vectors.body.bytes).description == vectors.bodyDigest)
        let other = try #require(UserID(hexadecimal: vectors.otherUser))
        #expect(ConversationID(directBetween: user, and: other).description == vectors.directConversation)
        #expect(ConversationID(directBetween: other, and: user).description == vectors.directConversation)
        let record = IdentityRecord(
            root: root, serial: vectors.serial, devices: [.init(device: author.device, name: vectors.deviceName)])
        #expect(record.encoded == vectors.identityRecord.bytes)
    }
}
