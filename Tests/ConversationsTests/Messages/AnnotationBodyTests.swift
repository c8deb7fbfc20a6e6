import Blobs
import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

@Suite("The bodies of messages and of what is said about them")
struct AnnotationBodyTests {
    private static let target = OperationID(digest: .hash("test", [1]))
    private static let people = (1...40).map { UserID(digest: .hash("test user", [UInt8($0)])) }

    static let changes: [AnnotationBody.Change] = [
        .edit(text: "hello", mentions: []), .edit(text: "@Alice", mentions: people.prefix(2).sorted()), .delete,
        .reaction(emoji: "👩🏽‍❤️‍💋‍👨🏿", isPresent: true), .reaction(emoji: "👍", isPresent: false), .pin(isPinned: true),
        .pin(isPinned: false), .file(name: "Ship's log.pdf", file, thumbnail: nil),
    ]

    private static let file = BlobReference(
        address: BlobEncoder.address(of: "log"), key: BlobKey(bytes: .hash("key")), mediaType: .unknown)

    @Test(arguments: changes)
    func `come back as they were written`(change: AnnotationBody.Change) throws {
        let body = try #require(AnnotationBody(of: Self.target, change))
        #expect(try AnnotationBody.decode(body.encoded, type: body.type) == body)
    }

    @Test(arguments: changes)
    func `have no second encoding: cut short or prolonged they are refused`(change: AnnotationBody.Change) throws {
        let body = try #require(AnnotationBody(of: Self.target, change))
        for count in body.encoded.indices {
            #expect(throws: MalformedBytes.self) {
                try AnnotationBody.decode(Array(body.encoded.prefix(count)), type: body.type)
            }
        }
        #expect(throws: MalformedBytes.trailing(count: 1)) {
            try AnnotationBody.decode(body.encoded + [0], type: body.type)
        }
    }

    @Test func `of other types are about no message`() throws {
        let body = try #require(AnnotationBody(of: Self.target, .delete))
        for type in [OperationType.message, .epoch, .create, OperationType(rawValue: 41)] {
            #expect(try AnnotationBody.decode(body.encoded, type: type) == nil)
        }
    }

    @Test func `keep the limits of text, emoji and mentions at the edge`() {
        let text = String(repeating: "a", count: MessageBody.maximumTextBytes)
        let emoji = String(repeating: "a", count: AnnotationBody.maximumEmojiBytes)
        let people = Array(Self.people.prefix(MessageBody.maximumMentions))
        #expect(AnnotationBody(of: Self.target, .edit(text: text, mentions: people)) != nil)
        #expect(AnnotationBody(of: Self.target, .edit(text: text + "a", mentions: [])) == nil)
        #expect(AnnotationBody(of: Self.target, .edit(text: "", mentions: [])) == nil)
        #expect(AnnotationBody(of: Self.target, .edit(text: "a", mentions: Self.people)) == nil)
        #expect(AnnotationBody(of: Self.target, .reaction(emoji: emoji, isPresent: true)) != nil)
        #expect(AnnotationBody(of: Self.target, .reaction(emoji: emoji + "a", isPresent: true)) == nil)
        #expect(AnnotationBody(of: Self.target, .reaction(emoji: "", isPresent: true)) == nil)
        #expect(MessageBody(text: "a", mentions: people) != nil)
        #expect(MessageBody(text: "a", mentions: Self.people) == nil)
    }

    @Test func `of messages name people in one order, each once`() throws {
        let people = Array(Self.people.prefix(5))
        let body = try #require(
            MessageBody(text: "all of you", replyTo: Self.target, mentions: people.reversed() + people))
        #expect(body.mentions == people.sorted())
        #expect(try MessageBody(decoding: body.encoded) == body)
        #expect(throws: MalformedBytes.self) { try MessageBody(decoding: [2, 0, 1, 0x61]) }
    }

    @Test func `of messages from before there were mentions stay as they are`() throws {
        #expect(try MessageBody(decoding: [0, 1, 0x61]) == MessageBody(text: "a"))
        #expect(MessageBody(text: "a")?.encoded == [0, 1, 0x61])
    }

    @Test(arguments: ["👍", "❤️", "❤", "👨‍👩‍👧‍👦", "🇩🇪", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"])
    func `react with one emoji`(text: String) {
        #expect(Emoji.isOne(text))
    }

    @Test(arguments: ["", "a", "1", "#", "👍👍", "hello", " ", "é", "\n", "👍 "])
    func `react with nothing else`(text: String) {
        #expect(!Emoji.isOne(text))
    }
}
