import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Storage
import Testing
import Time

@testable import SQLiteStore

@Suite("Finding what was said about messages")
struct AnnotationTests {
    private var stored: StoredRoom
    private let message: OperationID
    private let other: OperationID

    init() throws {
        var random = SplitMix64(seed: 1)
        stored = try StoredRoom(seed: 1, people: 2, steps: 0)
        for person in 0...1 {
            try stored.room.writeMessages(1, by: person, using: &random)
            try stored.replica.receive(try #require(stored.room.commits.last))
        }
        message = stored.content[0].id
        other = stored.content[1].id
    }

    /// The second person says something, which the store is told to lead somewhere.
    private mutating func annotate(
        _ type: OperationType, link: AnnotationLink?, withoutBody: Bool = false
    ) throws -> AdmittedOperation {
        let author = stored.room.people[1].author
        let written = try stored.replica.log.write(
            content: [.init(type: type, body: [1, 2, 3])], by: author, at: Timestamp(clamping: 1_800_000_000_000))
        let said = try #require(written.last)
        var encryption = EncryptionCommit()
        encryption.links[said.operation.id] = link
        if withoutBody { encryption.wanted.insert(said.operation.id) }
        try stored.store.commit(
            [
                LaneCommit(
                    withoutBody ? [said.withoutBody] : [said], to: .content, of: stored.replica.log,
                    encryption: encryption)
            ], receivedAt: .earliest)
        return said
    }

    private func found(_ messages: OperationID...) throws -> [OperationID: [AdmittedOperation]] {
        try stored.store.annotations(of: messages, in: stored.conversation, fromEachEnd: nil).mapValues { annotations in
            annotations.sorted { $0.operation.id < $1.operation.id }
        }
    }

    @Test mutating func `leads from each message to what is about it`() throws {
        let first = try annotate(.reaction, link: .message(message))
        let second = try annotate(.edit, link: .message(message))
        let third = try annotate(.reaction, link: .message(other))
        let expected = [first, second].sorted { $0.operation.id < $1.operation.id }
        #expect(try found(message, other) == [message: expected, other: [third]])
        #expect(try found(first.operation.id).isEmpty)
        let elsewhere = ConversationID(digest: .hash("test", [1]))
        #expect(try stored.store.annotations(of: [message], in: elsewhere, fromEachEnd: nil).isEmpty)
    }

    @Test mutating func `finds of one type by one person as many from each end as asked for`() throws {
        var reactions: [AdmittedOperation] = []
        for _ in 0..<7 { reactions.append(try annotate(.reaction, link: .message(message))) }
        let edit = try annotate(.edit, link: .message(message))
        _ = try annotate(.reaction, link: .message(other))
        func found(_ limit: Int) throws -> Set<OperationID> {
            let found = try stored.store.annotations(
                of: [message], in: stored.conversation, fromEachEnd: limit)[message, default: []]
            #expect(found.count == Set(found).count)
            return Set(found.map(\.operation.id))
        }
        let ids = reactions.map(\.operation.id)
        #expect(try found(2) == Set(ids.prefix(2) + ids.suffix(2) + [edit.operation.id]))
        #expect(try found(4) == Set(ids + [edit.operation.id]))
    }

    @Test mutating func `counts nothing of it as a message`() throws {
        let reader = stored.room.people[0].user
        let unread = try stored.store.unreadCount(in: stored.conversation, for: reader)
        let said = try annotate(.reaction, link: .message(message))
        #expect(try stored.store.unreadCount(in: stored.conversation, for: reader) == unread)
        #expect(try stored.store.messages(in: stored.conversation, limit: 10).count == 2)
        #expect(try stored.store.message(said.operation.id) == nil)
        #expect(try stored.store.messages(matching: said.operation.id.description).isEmpty)
        #expect(try stored.store.messages(matching: String(message.description.prefix(12))) == [message])
    }

    @Test mutating func `remembers what could not be opened until it is said where it leads`() throws {
        let said = try annotate(.edit, link: nil)
        _ = try annotate(.edit, link: .nowhere)
        #expect(try stored.store.unopenedAnnotations(of: stored.conversation, under: nil) == [said.operation])
        #expect(try found(message).isEmpty)
        try stored.store.link([said.operation.id: .message(message)], erasing: [], in: stored.conversation)
        #expect(try found(message) == [message: [said]])
        #expect(try stored.store.unopenedAnnotations(of: stored.conversation, under: nil).isEmpty)
    }

    @Test mutating func `remembers what came without its body, once that is here`() throws {
        let said = try annotate(.delete, link: nil, withoutBody: true)
        #expect(try stored.store.unopenedAnnotations(of: stored.conversation, under: nil).isEmpty)
        let body = try #require(said.operation.body)
        try stored.store.fill([(said.operation.id, body)], keys: [:], erasing: [], in: stored.conversation)
        #expect(try stored.store.unopenedAnnotations(of: stored.conversation, under: nil) == [said.operation])
    }

    @Test mutating func `erases what is taken back with the step in which that is found out`() throws {
        let linked = try annotate(.delete, link: nil)
        let filled = try annotate(.delete, link: nil, withoutBody: true)
        try stored.store.link([linked.operation.id: .message(message)], erasing: [message], in: stored.conversation)
        #expect(try stored.store.operation(message)?.body == nil)
        #expect(try found(message) == [message: [linked]])
        let body = try #require(filled.operation.body)
        try stored.store.fill([(filled.operation.id, body)], keys: [:], erasing: [other], in: stored.conversation)
        #expect(try stored.store.operation(other)?.body == nil)
        #expect(try stored.store.operation(filled.operation.id) == filled.operation)
    }

    @Test mutating func `finds what was ever pinned, each once`() throws {
        for target in [message, other, message] { _ = try annotate(.pin, link: .message(target)) }
        _ = try annotate(.pin, link: .nowhere)
        _ = try annotate(.pin, link: nil)
        _ = try annotate(.reaction, link: .message(message))
        #expect(try stored.store.pinTargets(in: stored.conversation).sorted() == [message, other].sorted())
    }

    @Test mutating func `finds what was deleted, of each type by itself, and which message a file belongs to`() throws {
        let file = try annotate(.file, link: .message(message)).operation.id
        _ = try annotate(.delete, link: .message(message))
        _ = try annotate(.delete, link: .message(file))
        let (store, conversation) = (stored.store, stored.conversation)
        #expect(try store.deletions(of: .message, in: conversation).keys.sorted() == [message])
        #expect(try store.deletions(of: .file, in: conversation).keys.sorted() == [file])
        try store.erase([file], in: conversation)
        #expect(try store.deletions(of: .file, in: conversation).isEmpty)
        #expect(try store.target(of: file, in: conversation) == message)
        #expect(try store.target(of: message, in: conversation) == nil)
    }

    @Test mutating func `finds the operations that attach files, as far as their bodies are here`() throws {
        let first = try annotate(.file, link: .message(message))
        _ = try annotate(.reaction, link: .message(message))
        let second = try annotate(.file, link: .message(other))
        _ = try annotate(.file, link: nil, withoutBody: true)
        let files = try stored.store.files(in: stored.conversation)
        #expect(files.map(\.operation.id) == [first, second].map(\.operation.id))
        try stored.store.erase([first.operation.id], in: stored.conversation)
        #expect(try stored.store.files(in: stored.conversation).map(\.operation.id) == [second.operation.id])
        let elsewhere = ConversationID(digest: .hash("test", [1]))
        #expect(try stored.store.files(in: elsewhere).isEmpty)
    }
}
