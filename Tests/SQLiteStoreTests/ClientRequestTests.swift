import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Storage
import Testing
import Time

@testable import SQLiteStore

@Suite("Remembering what clients asked for")
struct ClientRequestTests {
    private let start: Int64 = 1_800_000_000_000
    private var stored: StoredRoom

    init() throws {
        stored = try StoredRoom(seed: 1, people: 2, steps: 0)
    }

    private func request(_ name: UInt8) -> ClientRequest {
        ClientRequest(name: .hash("test", [name]), sealed: [name, 1])
    }

    private func time(_ later: Int64 = 0) -> Timestamp { Timestamp(clamping: start + later) }

    /// Commits messages for a request and returns them.
    private mutating func send(
        _ count: Int, for request: ClientRequest?, at time: Timestamp
    ) throws -> [OperationID] {
        let written = try stored.replica.log.write(
            content: (0..<count).map { .init(type: .message, body: [UInt8($0)]) },
            by: stored.room.people[1].author, at: time)
        try stored.store.commit(
            [LaneCommit(written, to: .content, of: stored.replica.log)], receivedAt: time, answering: request)
        return written.map(\.operation.id)
    }

    @Test mutating func `a request is known with all that it made, after the store was opened again too`() throws {
        _ = try send(2, for: nil, at: time())
        let made = try send(3, for: request(1), at: time())
        _ = try send(1, for: nil, at: time())
        let expected = StoredClientRequest(sealed: [1, 1], made: made)
        #expect(try stored.store.request(request(1).name, at: time()) == expected)
        #expect(try stored.store.request(request(2).name, at: time()) == nil)
        try stored.store.close()
        let reopened = try stored.directory.open()
        #expect(try reopened.request(request(1).name, at: time()) == expected)
    }

    @Test mutating func `a request is forgotten after seven days, and its name is free again`() throws {
        let first = try send(1, for: request(1), at: time())
        let last = time(ClientRequest.lifetime - 1)
        #expect(try stored.store.request(request(1).name, at: last)?.made == first)
        #expect(try stored.store.request(request(1).name, at: time(ClientRequest.lifetime)) == nil)
        // Another one comes then, and the old row is gone.
        let second = try send(1, for: request(2), at: time(ClientRequest.lifetime))
        #expect(try stored.store.request(request(1).name, at: time()) == nil)
        #expect(try stored.store.request(request(2).name, at: time(ClientRequest.lifetime))?.made == second)
        let again = try send(1, for: request(1), at: time(ClientRequest.lifetime))
        #expect(try stored.store.request(request(1).name, at: time(ClientRequest.lifetime))?.made == again)
    }

    @Test mutating func `of too many requests the newest are remembered`() throws {
        let made = try send(1, for: request(1), at: time())
        let number = Int64(ClientRequest.maximumCount)
        try stored.store.transaction { database in
            let insert = try Query(
                "INSERT INTO requests(n, name, sealed, first, last, made_at) VALUES(?1, ?2, x'01', 0, 0, ?3)",
                on: database)
            for place in [2, number] {
                try insert.bind(place, at: 1)
                try insert.bind("\(place)", at: 2)
                try insert.bind(start, at: 3)
                try insert.run()
            }
        }
        #expect(try stored.store.request(request(1).name, at: time())?.made == made)
        _ = try send(1, for: request(2), at: time())
        #expect(try stored.store.request(request(1).name, at: time()) == nil)
        #expect(try stored.store.request(request(2).name, at: time()) != nil)
        let left = try stored.store.access { try Query("SELECT count(*) FROM requests", on: $0).first { $0.number(0) } }
        #expect(left == 3)
    }
}
