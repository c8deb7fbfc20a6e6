import Conversations
import Cryptography
import CryptographyFixtures
import OperationLog
import Testing

@Suite("The bodies of an independent implementation")
struct MessageVectorTests {
    private struct Vectors: Decodable {
        let bodies: [Body]
    }

    private struct Body: Decodable {
        let type: UInt64
        let target: Hexadecimal?
        let text: String?
        let replyTo: Hexadecimal?
        let mentions: [Hexadecimal]?
        let flag: Bool?
        let body: Hexadecimal

        private enum CodingKeys: String, CodingKey {
            case type, target, text, mentions, flag, body
            case replyTo = "reply_to"
        }

        var people: [UserID] { (mentions ?? []).compactMap { Digest(bytes: $0.bytes).map(UserID.init(digest:)) } }

        /// What it wants of its target; nil for a message.
        func change() throws -> AnnotationBody.Change? {
            switch OperationType(rawValue: type) {
            case .edit: .edit(text: try #require(text), mentions: people)
            case .delete: .delete
            case .reaction: .reaction(emoji: try #require(text), isPresent: try #require(flag as Bool?))
            case .pin: .pin(isPinned: try #require(flag as Bool?))
            default: nil
            }
        }
    }

    @Test func `are read and written as the page says`() throws {
        let bodies = try Fixture.load("message-vectors.json", as: Vectors.self).bodies
        #expect(bodies.count == 12)
        for vector in bodies {
            if let change = try vector.change() {
                let named = try #require(vector.target)
                let target = OperationID(digest: try #require(Digest(bytes: named.bytes)))
                let type = OperationType(rawValue: vector.type)
                let body = try #require(try AnnotationBody.decode(vector.body.bytes, type: type))
                #expect(body.target == target && body.change == change)
                #expect(AnnotationBody(of: target, change)?.encoded == vector.body.bytes)
            } else {
                let answered = try vector.replyTo.map { OperationID(digest: try #require(Digest(bytes: $0.bytes))) }
                let text = try #require(vector.text)
                let body = try MessageBody(decoding: vector.body.bytes)
                #expect(body == MessageBody(text: text, replyTo: answered, mentions: vector.people))
                #expect(body.encoded == vector.body.bytes)
            }
        }
    }
}
