import Blobs
import Conversations
import Cryptography
import Membership
import NodeCore
import OperationLog
import Replication
import Storage
import Testing

@testable import NodeCore
@testable import Simulation

/// Alice, Bob and Carol are in a group; Dave is not. All are connected, and Bob may be up to something.
@Suite("Files between nodes")
struct FileSharingTests {
    private static let (alice, bob, carol, dave) = (0, 1, 2, 3)
    private let fixture: FileNodesFixture
    private let group: ConversationID

    init() throws {
        let fixture = try FileNodesFixture("Alice", "Bob", "Carol", "Dave")
        for one in 0..<4 { for other in one + 1..<4 { fixture.connect(one, other) } }
        fixture.pass(.seconds(1))
        group = try fixture.at(Self.alice) { core, moment in
            try core.createGroup(name: "Ship", members: [fixture.user(Self.bob), fixture.user(Self.carol)], at: moment)
        }
        // Dave compared codes with them. Else he and they would part after a while, because they share nothing.
        for member in [Self.alice, Self.bob, Self.carol] {
            try fixture.at(Self.dave) { core, moment in
                try core.setVerified(true, of: fixture.user(member), at: moment)
            }
        }
        fixture.pass(.seconds(1))
        self.fixture = fixture
    }

    @discardableResult
    private func send(_ file: BlobReference, by node: Int) throws -> Operation {
        try fixture.at(node) { core, moment in
            try core.send("a file", with: [CarriedFile(name: "f", address: file.address)], to: group, at: moment)[0]
                .operation
        }
    }

    /// Writes an operation that says it attaches a file, wherever its author likes.
    @discardableResult
    private func attach(_ file: BlobReference, to message: OperationID, by node: Int) throws -> OperationID {
        let body = try #require(AnnotationBody(of: message, .file(name: "f", file, thumbnail: nil)))
        return try fixture.at(node) { core, moment in
            core.moment = moment
            return try core.write(closed: [(.file, body.encoded)], in: group)[0].operation.id
        }
    }

    private func state(_ file: BlobReference, at node: Int) -> FileState.Phase { fixture.phase(of: file, at: node) }

    @Test func `every member has what one of them sent, and nobody else may ask for it`() throws {
        let file = try fixture.putIn(200_000, at: Self.alice)
        let message = try send(file, by: Self.alice)
        fixture.pass(.seconds(1))
        #expect(state(file, at: Self.bob) == .here && state(file, at: Self.carol) == .here)
        let attached = try #require(fixture.nodes[Self.alice].core.file(of: file.address)?.operation)
        #expect(fixture.nodes[Self.alice].core.file(of: file.address)?.message == message.id)
        // Dave knows the names of everything, and asks on their connection.
        let count = fixture.mail.count
        let handle = try #require(fixture.nodes[Self.alice].lines.first { $0.value.node == Self.dave }?.key)
        fixture.at(Self.alice) { core, moment in
            core.moment = moment
            core.tellFiles(.asked(.operation(attached, in: group), by: handle))
            core.tellFiles(.heard(.chunksWanted(file.address.root, [0, 1]), from: handle, nil))
        }
        #expect(fixture.mail.dropFirst(count).allSatisfy { $0.to != Self.dave })
    }

    @Test func `who was removed is given nothing that was sent afterwards`() throws {
        fixture.at(Self.alice) { core, moment in
            _ = try? core.remove(fixture.user(Self.bob), from: group, at: moment)
        }
        fixture.pass(.seconds(1))
        let file = try fixture.putIn(100_000, at: Self.alice)
        try send(file, by: Self.alice)
        fixture.pass(.seconds(10))
        #expect(state(file, at: Self.carol) == .here)
        #expect(fixture.nodes[Self.bob].disk.image.chunks.isEmpty)
    }

    @Test func `a file on somebody else's message is neither shown nor fetched`() throws {
        let message = try fixture.at(Self.alice) { core, moment in
            try core.send(["mine"], to: group, at: moment)[0].operation.id
        }
        let file = try fixture.putIn(1_000, at: Self.bob)
        try attach(file, to: message, by: Self.bob)
        fixture.pass(.seconds(10))
        #expect(fixture.nodes[Self.carol].core.blobs.isEmpty)
        #expect(fixture.nodes[Self.carol].disk.image.chunks.isEmpty)
    }

    @Test func `of one message sixteen files are fetched`() throws {
        let message = try fixture.at(Self.bob) { core, moment in
            try core.send(["much"], to: group, at: moment)[0].operation.id
        }
        for number in 0..<MessageState.maximumFiles + 3 {
            try attach(try fixture.putIn(100, seed: UInt64(number), at: Self.bob), to: message, by: Self.bob)
        }
        fixture.pass(.seconds(1))
        #expect(fixture.nodes[Self.carol].core.blobs.count == MessageState.maximumFiles)
        #expect(fixture.nodes[Self.carol].disk.image.chunks.count == MessageState.maximumFiles)
    }

    @Test func `who names a file with another length harms neither the file nor its holders`() throws {
        let file = try fixture.putIn(200_000, at: Self.alice)
        let lying = BlobReference(
            address: try #require(BlobAddress(top: file.address.top, length: 190_000)), key: file.key,
            mediaType: .unknown)
        let message = try fixture.at(Self.bob) { core, moment in
            try core.send(["look"], to: group, at: moment)[0].operation.id
        }
        let lie = try attach(lying, to: message, by: Self.bob)
        try send(file, by: Self.alice)
        fixture.pass(.seconds(40))
        #expect(state(file, at: Self.carol) == .here)
        #expect(state(lying, at: Self.carol) == .waiting)
        // And when the lie goes, nothing else goes with it.
        fixture.at(Self.carol) { core, _ in core.tellFiles(.erased([lie], in: group)) }
        #expect(!fixture.nodes[Self.carol].core.blobs.contains(lying.address))
        #expect(state(file, at: Self.carol) == .here)
        #expect(fixture.nodes[Self.carol].disk.image.chunks[file.address.root]?.count == file.address.chunkCount)
        #expect(fixture.nodes.allSatisfy { $0.closed.isEmpty })
    }

    @Test func `somebody's deleting of a file that another one sent, too, takes it from nobody`() throws {
        let file = try fixture.putIn(200_000, at: Self.alice)
        try send(file, by: Self.alice)
        fixture.pass(.seconds(1))
        let copy = try send(file, by: Self.bob)
        fixture.pass(.seconds(1))
        try fixture.at(Self.bob) { try $0.delete(copy.id, of: group, at: $1) }
        fixture.pass(.seconds(1))
        for node in 0..<3 { #expect(state(file, at: node) == .here) }
    }

    @Test func `who asks about ever so many blobs is no offender`() throws {
        let message = try fixture.at(Self.alice) { core, moment in
            try core.send(["mine"], to: group, at: moment)[0].operation.id
        }
        let file = try fixture.putIn(100, at: Self.alice)
        let attached = try attach(file, to: message, by: Self.alice)
        let handle = try #require(fixture.nodes[Self.alice].lines.first { $0.value.node == Self.bob }?.key)
        for _ in 0..<10_000 {
            fixture.nodes[Self.alice].core.tellFiles(.asked(.operation(attached, in: group), by: handle))
        }
        fixture.settle()
        #expect(fixture.nodes[Self.alice].closed.isEmpty)
    }

    @Test func `a holder of a wrong chunk is found at once, and it reaches no disk`() throws {
        let file = try fixture.putIn(300_000, at: Self.alice)
        fixture.altering = { from, to, message in
            guard from == Self.bob, to == Self.carol, case .files(.chunk(let root, var bytes)) = message else {
                return message
            }
            bytes[bytes.count - 1] ^= 1
            return .files(.chunk(root, bytes))
        }
        try send(file, by: Self.alice)
        fixture.pass(.seconds(20))
        #expect(state(file, at: Self.carol) == .here)
        for (_, chunk) in fixture.nodes[Self.carol].disk.image.chunks[file.address.root] ?? [:] {
            #expect((try? BlobChunk(verifying: chunk.encoded, of: file.address)) != nil)
        }
        let wrong = fixture.mail.filter { mail in
            if case .files(.chunk) = mail.message { mail.from == Self.bob && mail.to == Self.carol } else { false }
        }
        #expect(wrong.count <= BlobTransfers.window)
        if !wrong.isEmpty { #expect(fixture.nodes[Self.carol].closed == [Self.bob]) }
    }

    @Test func `of a blocked person nothing is fetched, until they are blocked no longer or their file is asked for`()
        throws
    {
        try fixture.at(Self.carol) { try $0.setBlocked(true, of: fixture.user(Self.bob), at: $1) }
        let (first, second) = (
            try fixture.putIn(100, seed: 1, at: Self.bob), try fixture.putIn(100, seed: 2, at: Self.bob)
        )
        try send(first, by: Self.bob)
        try send(second, by: Self.bob)
        fixture.pass(.seconds(5))
        #expect(state(first, at: Self.carol) == .offered && state(second, at: Self.carol) == .offered)
        #expect(state(first, at: Self.alice) == .here)
        try fixture.at(Self.carol) { try $0.fetch(first.address, at: $1) }
        #expect(state(first, at: Self.carol) == .here)
        try fixture.at(Self.carol) { try $0.setBlocked(false, of: fixture.user(Self.bob), at: $1) }
        fixture.pass(.seconds(1))
        #expect(state(second, at: Self.carol) == .here)
    }

    @Test func `what a friend forwards is fetched, whoever sent it first`() throws {
        try fixture.at(Self.carol) { try $0.setBlocked(true, of: fixture.user(Self.bob), at: $1) }
        let file = try fixture.putIn(100, at: Self.bob)
        try send(file, by: Self.bob)
        fixture.pass(.seconds(1))
        #expect(state(file, at: Self.carol) == .offered && state(file, at: Self.alice) == .here)
        try send(file, by: Self.alice)
        fixture.pass(.seconds(1))
        #expect(state(file, at: Self.carol) == .here)
    }

    @Test func `nobody can push what was not asked for`() throws {
        try fixture.at(Self.carol) { try $0.setBlocked(true, of: fixture.user(Self.bob), at: $1) }
        let file = try fixture.putIn(100_000, at: Self.bob)
        try send(file, by: Self.bob)
        fixture.pass(.seconds(1))
        for index in 0..<file.address.chunkCount {
            let chunk = try #require(try fixture.nodes[Self.bob].disk.chunk(index, of: file.address))
            fixture.push(.files(.chunk(file.address.root, chunk.encoded)), from: Self.bob, to: Self.carol)
        }
        #expect(state(file, at: Self.carol) == .offered)
        #expect(fixture.nodes[Self.carol].disk.image.chunks.isEmpty)
    }

    @Test func `who lies about the key first keeps nobody from opening or forwarding a file`() throws {
        let file = try fixture.putIn(100_000, at: Self.alice)
        let lie = BlobReference(
            address: file.address, key: BlobKey(bytes: .hash("another")), mediaType: .unknown)
        let message = try fixture.at(Self.bob) { core, moment in
            try core.send(["look"], to: group, at: moment)[0].operation.id
        }
        try attach(lie, to: message, by: Self.bob)
        try send(file, by: Self.alice)
        fixture.pass(.seconds(1))
        #expect(state(file, at: Self.carol) == .here)
        #expect(fixture.nodes[Self.carol].core.opening(file.address)?.reference.key == file.key)
        let forwarded = try send(file, by: Self.carol)
        fixture.pass(.seconds(1))
        let bob = fixture.nodes[Self.bob].core
        #expect(try bob.files(in: group).first { $0.message == forwarded.id }?.file.reference.key == file.key)
    }

    @Test func `of a group that was not accepted nothing is fetched`() throws {
        try fixture.at(Self.dave) { try $0.setAsksWhenAdded(true, at: $1) }
        let user = fixture.user(Self.dave)
        try fixture.at(Self.alice) { try $0.add([user], to: group, at: $1) }
        fixture.pass(.seconds(1))
        let file = try fixture.putIn(100, at: Self.alice)
        try send(file, by: Self.alice)
        fixture.pass(.seconds(5))
        #expect(state(file, at: Self.dave) == .offered)
        try fixture.at(Self.dave) { try $0.acceptInvite(to: group, at: $1) }
        fixture.pass(.seconds(1))
        #expect(state(file, at: Self.dave) == .here)
    }

    @Test func `of a group that was not accepted few are even known, and all once it is`() throws {
        try fixture.at(Self.dave) { try $0.setAsksWhenAdded(true, at: $1) }
        let user = fixture.user(Self.dave)
        try fixture.at(Self.alice) { try $0.add([user], to: group, at: $1) }
        fixture.pass(.seconds(1))
        let files = try (0..<FileExchange.maximumUnaccepted + 10).map { number in
            let file = try fixture.putIn(100, seed: UInt64(number), at: Self.alice)
            try send(file, by: Self.alice)
            return file
        }
        fixture.pass(.seconds(5))
        #expect(fixture.nodes[Self.dave].core.blobs.count == FileExchange.maximumUnaccepted)
        #expect(files.allSatisfy { state($0, at: Self.dave) == .offered })
        try fixture.at(Self.dave) { try $0.acceptInvite(to: group, at: $1) }
        fixture.pass(.seconds(10))
        #expect(files.allSatisfy { state($0, at: Self.dave) == .here })
    }

    @Test func `where a blocked person brought the user in nothing is fetched, until somebody else does`() throws {
        let user = fixture.user(Self.dave)
        try fixture.at(Self.dave) { try $0.setBlocked(true, of: fixture.user(Self.alice), at: $1) }
        try fixture.at(Self.alice) { core, moment in
            try core.setRole(of: fixture.user(Self.bob), in: group, to: .admin, at: moment)
            try core.add([user], to: group, at: moment)
        }
        fixture.pass(.seconds(1))
        let file = try fixture.putIn(100, at: Self.carol)
        try send(file, by: Self.carol)
        fixture.pass(.seconds(5))
        #expect(state(file, at: Self.dave) == .offered)
        try fixture.at(Self.alice) { try $0.remove(user, from: group, at: $1) }
        try fixture.at(Self.bob) { try $0.add([user], to: group, at: $1) }
        // Carol may be asked before she knows of that, and again after a while.
        fixture.pass(.seconds(5))
        #expect(state(file, at: Self.dave) == .here)
    }

    @Test func `who read in a group has its files, also after a blocked person brought them back`() throws {
        let (alice, user) = (fixture.user(Self.alice), fixture.user(Self.carol))
        try fixture.at(Self.bob) { try $0.send(["hello"], to: group, at: $1) }
        try fixture.at(Self.carol) { core, moment in
            try core.markRead(group, at: moment)
            try core.setBlocked(true, of: alice, at: moment)
        }
        try fixture.at(Self.alice) { core, moment in
            try core.remove(user, from: group, at: moment)
            try core.add([user], to: group, at: moment)
        }
        fixture.pass(.seconds(1))
        let replica = try #require(fixture.nodes[Self.carol].core.replicas[group])
        #expect(!fixture.nodes[Self.carol].core.awaitsConsent(replica))
        let file = try fixture.putIn(100, at: Self.bob)
        try send(file, by: Self.bob)
        fixture.pass(.seconds(1))
        #expect(state(file, at: Self.carol) == .here)
    }

    @Test func `nobody's files take more than their share of what others have room for`() throws {
        for number in 0..<10 {
            fixture.nodes[Self.carol].disk.quota = 1_000_000
            try send(try fixture.putIn(50_000, seed: UInt64(number), at: Self.bob), by: Self.bob)
        }
        fixture.pass(.seconds(5))
        let carol = fixture.nodes[Self.carol]
        let phases = carol.core.blobs.map { carol.core.state(of: $0).phase }
        #expect(
            phases.filter { $0 == .here }.count == 1_000_000 / FileQuotas.Claimant.author(fixture.user(Self.bob)).part
                / 50_000)
        #expect(phases.filter { $0 == .offered }.count == 6)
    }

    @Test func `whose files take all they may asks for no more, says so, and goes on when they may have more`() throws {
        let (first, second) = (
            try fixture.putIn(400_000, seed: 1, at: Self.alice), try fixture.putIn(400_000, seed: 2, at: Self.alice)
        )
        fixture.nodes[Self.carol].disk.quota = 4_000_000
        try send(first, by: Self.alice)
        fixture.pass(.seconds(1))
        fixture.nodes[Self.carol].disk.quota = 500_000
        // What is on its way already is not an author's to use up.
        fixture.at(Self.carol) { core, _ in core.fileExchange.quotas = FileQuotas() }
        try send(second, by: Self.alice)
        fixture.pass(.seconds(30))
        try fixture.at(Self.carol) { try $0.fetch(second.address, at: $1) }
        fixture.pass(.seconds(30))
        #expect(state(first, at: Self.carol) == .here)
        #expect(state(second, at: Self.carol) == .failed(.quotaReached(500_000)))
        #expect(!fixture.mail.contains { $0.from == Self.carol && Self.asks($0.message, for: second) })
        fixture.nodes[Self.carol].disk.quota = 4_000_000
        fixture.pass(.seconds(90))
        #expect(state(second, at: Self.carol) == .here)
    }

    @Test(arguments: 0..<5)
    func `a disk that is full after any chunk keeps what it has, asks for nothing, and goes on`(count: Int) throws {
        let file = try fixture.putIn(5 * BlobAddress.chunkByteCount, at: Self.alice)
        let carol = fixture.nodes[Self.carol]
        fixture.altering = { _, to, message in
            if to == Self.carol, carol.disk.image.chunks[file.address.root]?.count ?? 0 == count,
                case .files(.chunk) = message
            {
                carol.disk.condition = .full
            }
            return message
        }
        try send(file, by: Self.alice)
        fixture.pass(.seconds(1))
        #expect(carol.disk.condition == .full)
        #expect(carol.disk.image.chunks[file.address.root]?.count ?? 0 == count)
        #expect(state(file, at: Self.carol) == .failed(.diskFull))
        let sent = fixture.mail.count
        fixture.pass(.seconds(60))
        #expect(!fixture.mail.dropFirst(sent).contains { $0.from == Self.carol && Self.asks($0.message, for: file) })
        carol.disk.condition = .healthy
        fixture.altering = { $2 }
        fixture.pass(.seconds(200))
        #expect(state(file, at: Self.carol) == .here)
    }

    @Test(arguments: 0..<5, [false, true])
    func `a file is canceled after any chunk, also by who is started anew then, and fetched later`(
        count: Int, isRestarted: Bool
    ) throws {
        let file = try fixture.putIn(5 * BlobAddress.chunkByteCount, at: Self.alice)
        let carol = fixture.nodes[Self.carol]
        var isCanceled = false
        fixture.altering = { [fixture] _, to, message in
            guard to == Self.carol, !isCanceled, carol.disk.image.chunks[file.address.root]?.count ?? 0 == count,
                case .files(.chunk) = message
            else { return message }
            isCanceled = true
            #expect(throws: Never.self) { try carol.core.cancel(file.address, at: fixture.moment) }
            return nil
        }
        try send(file, by: Self.alice)
        fixture.pass(.seconds(1))
        #expect(isCanceled)
        if isRestarted { try fixture.restart(Self.carol) }
        #expect(state(file, at: Self.carol) == .canceled)
        let sent = fixture.mail.count
        fixture.pass(.seconds(60))
        #expect(!fixture.mail.dropFirst(sent).contains { $0.from == Self.carol && Self.asks($0.message, for: file) })
        let kept = carol.disk.image.chunks[file.address.root]?.count ?? 0
        #expect(kept >= count && kept < 5)
        try fixture.at(Self.carol) { try $0.fetch(file.address, at: $1) }
        fixture.pass(.seconds(10))
        #expect(state(file, at: Self.carol) == .here)
        // Nothing came twice that was written down.
        let chunks = fixture.mail.dropFirst(sent).filter { mail in
            if case .files(.chunk) = mail.message { mail.to == Self.carol } else { false }
        }
        #expect(chunks.count == 5 - kept)
    }

    @Test(arguments: 0..<5)
    func `a file comes although its sender dies after any chunk, where somebody else has the rest`(count: Int) throws {
        let file = try fixture.putIn(5 * BlobAddress.chunkByteCount, at: Self.alice)
        let carol = fixture.nodes[Self.carol]
        var isAlone = false
        // Bob has all of it before Carol gets anything.
        fixture.altering = { from, to, message in
            if case .files(.chunk) = message, to == Self.carol {
                from == Self.bob || !isAlone ? nil : message
            } else {
                message
            }
        }
        try send(file, by: Self.alice)
        fixture.pass(.seconds(1))
        #expect(state(file, at: Self.bob) == .here)
        isAlone = true
        fixture.altering = { from, to, message in
            guard case .files(.chunk) = message, to == Self.carol, from == Self.alice else { return message }
            return carol.disk.image.chunks[file.address.root]?.count ?? 0 < count ? message : nil
        }
        fixture.pass(.seconds(90))
        #expect(state(file, at: Self.carol) == .here)
        #expect(fixture.nodes.allSatisfy { $0.closed.isEmpty })
    }

    private static func asks(_ message: PeerMessage, for file: BlobReference) -> Bool {
        if case .files(.chunksWanted(file.address.root, _)) = message { true } else { false }
    }
}
