import Conversations
import Cryptography
import CryptographyFixtures
import OperationLog
import Testing

@testable import NodeCore
@testable import Replication

/// Compares with bytes that were made independently, from the descriptions of the formats.
@Suite("Known answers of private state and of revoked devices")
struct PrivateVectorTests {
    private struct Vectors: Decodable {
        struct Piece: Decodable {
            let kind: UInt8
            let id: Hexadecimal
            let state: Hexadecimal
            let version: Hexadecimal
        }
        struct Messages: Decodable {
            let digest: Hexadecimal
            let summary: Hexadecimal
            let versions: Hexadecimal
            let states: Hexadecimal

            var all: [[UInt8]] { [digest, summary, versions, states].map(\.bytes) }
        }

        let atDesk: Hexadecimal
        let atLaptop: Hexadecimal
        let merged: Hexadecimal
        let pieces: [Piece]
        let digest: Hexadecimal
        let messages: Messages
        let root: Hexadecimal
        let conversation: String
        let device: String
        let decisions: [String]
        let counting: [String]
        let revoke: Hexadecimal
        let revokeOfNothing: Hexadecimal
    }

    private let vectors: Vectors
    private let entries: [PrivateEntry]

    init() throws {
        let vectors: Vectors = try Fixture.load("private-vectors.json")
        self.vectors = vectors
        entries = try vectors.pieces.map { piece in
            var reader = CanonicalReader([piece.kind] + piece.id.bytes)
            return PrivateEntry(of: try PrivateSubject(from: &reader), state: piece.state.bytes)
        }
    }

    @Test func `a state of each kind is read and written as the page says`() throws {
        for entry in entries {
            let encoded =
                entry.subject.kind == .conversation
                ? try ConversationPreferences(decoding: entry.state).encoded
                : try PersonMark(decoding: entry.state).encoded
            #expect(encoded == entry.state)
        }
    }

    @Test func `two states merge to the same, whichever came first`() throws {
        let desk = try ConversationPreferences(decoding: vectors.atDesk.bytes)
        let laptop = try ConversationPreferences(decoding: vectors.atLaptop.bytes)
        #expect(desk.merging(laptop).encoded == vectors.merged.bytes)
        #expect(laptop.merging(desk).encoded == vectors.merged.bytes)
    }

    @Test func `what is held has the digests that the page says`() throws {
        var index = PrivateIndex()
        for entry in entries { index.replace(entry.subject, with: entry.state) }
        let summary = index.currentSummary()
        #expect(summary.digest.bytes == vectors.digest.bytes)
        let buckets = (0..<PrivateSummary.bucketCount).filter { summary[$0] != nil }
        let versions = PrivateVersions.parts(of: buckets.map { ($0, index.versions(in: $0)) })
        let words =
            [.digest(summary.digest), .summary(summary)] + versions.map(PrivateMessage.versions) + [.states(entries)]
        #expect(words.map { PeerMessage.privateState($0).encoded } == vectors.messages.all)
        for message in vectors.messages.all { #expect(try PeerMessage(decoding: message).encoded == message) }
        let digests = vectors.pieces.map { $0.version.bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        #expect(entries.map { PrivateVersion(of: $0).digest } == digests)
    }

    @Test func `a revocation is signed and read as the page says`() throws {
        let root = try #require(SigningKey(seed: vectors.root.bytes))
        let conversation = try #require(ConversationID(hexadecimal: vectors.conversation))
        let device = try #require(DeviceID(hexadecimal: vectors.device))
        let pins = try [vectors.decisions, vectors.counting].map { names in
            try names.map { try #require(OperationID(hexadecimal: $0)) }
        }
        let revocations = [
            DeviceRevocation(root: root, of: device, in: conversation, keeping: pins[0], pins[1]),
            DeviceRevocation(root: root, of: device, in: conversation, keeping: [], []),
        ]
        for (revocation, vector) in zip(revocations, [vectors.revoke, vectors.revokeOfNothing]) {
            let body = MembershipBody.revoke(revocation)
            #expect(body.encoded == vector.bytes)
            #expect(try MembershipBody.decode(vector.bytes, type: .revoke) == body)
            #expect(revocation.isSigned(for: conversation))
        }
    }
}
