import Cryptography
import CryptographyFixtures
import OperationLog
import StreamTransport
import Testing
import Time

@Suite("Invite codes")
struct InviteCodeTests {
    private struct Vectors: Decodable {
        struct Invite: Decodable {
            let conversation: String
            let invite: String
            let user: String
            let seed: String
            let end: Int64
            let device: String
            let addresses: [String]
            let code: String
            let key: String
            let proof: String
        }

        let invites: [Invite]
    }

    @Test
    func `and their proofs are what an independent implementation makes of the page`() throws {
        let invites = try Fixture.load("people-vectors.json", as: Vectors.self).invites
        #expect(invites.count == 2)
        for vector in invites {
            let conversation = try #require(ConversationID(hexadecimal: vector.conversation))
            let invite = try #require(OperationID(hexadecimal: vector.invite))
            let seed = try #require(Digest(hexadecimal: vector.seed)).bytes
            let end = try #require(Timestamp(milliseconds: vector.end))
            let device = try #require(DeviceID(hexadecimal: vector.device))
            let made = InviteCode(
                conversation: conversation, invite: invite, seed: seed, end: end, device: device,
                addresses: vector.addresses.compactMap { SocketAddress($0) })
            let code = try #require(made)
            #expect(code.description == vector.code)
            #expect(try InviteCode(vector.code) == code)
            #expect(code.key.verifyingKey.description == vector.key)
            let user = try #require(UserID(hexadecimal: vector.user))
            let proof = InviteProof(of: invite, to: conversation, for: user, signedWith: code.key)
            #expect(
                proof.signature.bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
                    == vector.proof)
        }
    }

    @Test
    func `keep their limit with as many and as long addresses as there may be`() throws {
        let longest = try #require(
            code("[2001:db8::1]:1", "[2001:db8::2]:1", "[2001:db8::3]:1", "[2001:db8::4]:1", end: .latest))
        #expect(longest.description.count <= InviteCode.maximumCharacters)
        #expect(try InviteCode(longest.description) == longest)
    }

    @Test
    func `are refused when an end is missing, wherever`() throws {
        let text = try #require(code("192.0.2.7:47470", end: .earliest)).description
        for count in 0..<text.count {
            #expect(throws: MalformedCode.self, "\(count) characters") { try InviteCode(text.prefix(count)) }
        }
        for more in ["A", "AA", "=", " "] {
            #expect(throws: MalformedCode.self) { try InviteCode(text + more) }
        }
    }

    @Test
    func `are no contact codes, nor of another version`() throws {
        let text = try #require(code("192.0.2.7:47470", end: .earliest)).description
        #expect(throws: MalformedCode.prefix(ContactCode.prefix)) { try ContactCode(text) }
        // The content and the checksum of version 2.
        let content: [UInt8] = [2, 0, 0]
        let bytes = content + Digest.hash("moot/1/invite-code", content).bytes.prefix(4)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var bits = bytes.flatMap { byte in (0..<8).reversed().map { byte >> $0 & 1 } }
        while !bits.count.isMultiple(of: 5) { bits.append(0) }
        let digits = stride(from: 0, to: bits.count, by: 5).map { bits[$0..<$0 + 5].reduce(0) { $0 << 1 | Int($1) } }
        #expect(throws: MalformedCode.version(2)) {
            try InviteCode(InviteCode.prefix + String(digits.map { alphabet[$0] }))
        }
    }

    private func code(_ addresses: String..., end: Timestamp) -> InviteCode? {
        InviteCode(
            conversation: ConversationID(digest: .hash("Ship")), invite: OperationID(digest: .hash("invite")),
            seed: Array(repeating: 7, count: SigningKey.seedByteCount), end: end,
            device: DeviceID(digest: .hash("laptop")),
            addresses: addresses.compactMap { SocketAddress($0) })
    }
}
