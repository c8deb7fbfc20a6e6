import Blobs
import Conversations
import Cryptography
import OperationLog
import Replication
import Storage
import Testing
import Time

@testable import NodeCore
@testable import Simulation

/// Bob's files. Alice shows a photo on their card, and is connected.
@Suite("The machine for files")
struct FileExchangeTests {
    private static let (alice, bob, carol) = (0, 1, 2)
    private var files: FileExchange
    private var context: NodeContext
    private let disk: VirtualDisk
    private let (fromAlice, fromCarol): (PeerHandle, PeerHandle)
    private let photo: PhotoReference
    private let chunks: [BlobAddress: [BlobChunk]]
    /// Shows the same photo.
    private let cardOfCarol: ProfileCard
    /// Shows another one.
    private let laterCardOfCarol: ProfileCard
    private let otherPhoto: PhotoReference

    init() throws {
        var trio = try Trio()
        fromAlice = trio.connect(Self.bob, to: Self.alice)
        fromCarol = trio.connect(Self.bob, to: Self.carol)
        let (picture, pictureChunks) = try Self.blob(of: 100_000, seed: 1)
        let (thumbnail, thumbnailChunks) = try Self.blob(of: 1_000, seed: 2)
        photo = try #require(PhotoReference(picture: picture, thumbnail: thumbnail))
        chunks = [picture.address: pictureChunks, thumbnail.address: thumbnailChunks]
        try trio.cores[Self.alice].setProfile(photo: .set(photo), at: Trio.moment)
        try trio.cores[Self.carol].setProfile(photo: .set(photo), at: Trio.moment)
        cardOfCarol = trio.carol.card
        otherPhoto = try #require(
            PhotoReference(picture: try Self.blob(of: 100_000, seed: 6).0, thumbnail: thumbnail))
        try trio.cores[Self.carol].setProfile(photo: .set(otherPhoto), at: Trio.after(.seconds(1)))
        laterCardOfCarol = trio.carol.card
        context = trio.bob.context
        _ = context.contacts.learn(trio.alice.card)
        disk = trio.disks[Self.bob]
        files = FileExchange(storage: disk, seed: 1)
    }

    /// A stored file, and what opens it.
    private static func blob(of length: Int, seed: UInt64) throws -> (BlobReference, [BlobChunk]) {
        var random = SeededRandom(seed: seed)
        var encoder = BlobEncoder(key: .generate(using: &random))
        var (rest, sealed) = (random.bytes(length)[...], [[UInt8]]())
        while !rest.isEmpty {
            let piece = encoder.seal(Array(rest.prefix(BlobAddress.chunkByteCount)))
            sealed.append(try #require(piece))
            rest = rest.dropFirst(BlobAddress.chunkByteCount)
        }
        let key = encoder.key
        let (address, tree) = encoder.finish()
        let chunks = sealed.enumerated().map { BlobChunk($0.element, at: $0.offset, of: address, in: tree) }
        return (BlobReference(address: address, key: key, mediaType: .photo), chunks)
    }

    private mutating func handle(_ event: FileExchange.Event) -> [MachineRequest] {
        files.handle(event, in: &context)
    }

    /// Alice says that they have all of a blob.
    private mutating func hold(_ address: BlobAddress) -> [MachineRequest] {
        handle(.heard(.blobHeld(address.root, ChunkSet.whole(address).bytes), from: fromAlice, nil))
    }

    /// Fetches everything that is asked for.
    private mutating func fetch(_ address: BlobAddress) throws {
        var requests = hold(address)
        while let indices = try requests.messages(to: fromAlice).lazy.compactMap({ message -> [Int]? in
            guard case .files(.chunksWanted(address.root, let indices)) = message else { return nil }
            return indices
        }).first {
            requests = []
            for index in indices {
                let chunk = try #require(chunks[address]?[index])
                requests += handle(
                    .heard(.chunk(address.root, chunk.encoded), from: fromAlice, nil))
            }
        }
    }

    @Test mutating func `a photo on a card is asked of whoever is connected`() throws {
        let requests = handle(.cardChanged(of: context.contacts.all.first { $0.name == "Alice" }?.user ?? context.me))
        let asked = try requests.messages(to: fromAlice).count { message in
            if case .files(.photoWanted) = message { true } else { false }
        }
        #expect(asked > 0)
        #expect(files.state(of: photo.picture.address).phase == .waiting)
    }

    @Test mutating func `who names what somebody else names, too, does not keep it from being fetched`() throws {
        for number in 0..<FileQuotas.maximumSeeks {
            let address = try #require(
                BlobAddress(top: .hash("test", withUnsafeBytes(of: number) { Array($0) }), length: 1))
            let isSought = files.quotas.seek(address, of: cardOfCarol.user)
            try #require(isSought)
        }
        _ = context.contacts.learn(cardOfCarol)
        _ = handle(.cardChanged(of: cardOfCarol.user))
        #expect(files.state(of: photo.picture.address).phase == .offered)
        _ = handle(.cardChanged(of: try alice))
        #expect(files.state(of: photo.picture.address).phase == .waiting)
        try fetch(photo.picture.address)
        #expect(files.state(of: photo.picture.address).phase == .here)
    }

    @Test mutating func `what nobody gives takes no room from others`() throws {
        disk.quota = 20 * 110_000
        _ = handle(.cardChanged(of: try alice))
        let requests = hold(photo.picture.address)
        #expect(try !requests.messages(to: fromAlice).isEmpty)
        _ = context.contacts.learn(laterCardOfCarol)
        _ = handle(.cardChanged(of: laterCardOfCarol.user))
        #expect(files.state(of: otherPhoto.picture.address).phase == .offered)
        _ = handle(.lost(try #require(context.links[fromAlice]?.identity?.device.id)))
        context.moment = Trio.after(OfferedBlobs.delay)
        _ = handle(.tick)
        #expect(files.state(of: otherPhoto.picture.address).phase == .waiting)
    }

    @Test mutating func `chunks are fetched from whoever has them, and kept`() throws {
        _ = handle(.cardChanged(of: try alice))
        try fetch(photo.picture.address)
        #expect(files.state(of: photo.picture.address).phase == .here)
        #expect(try disk.chunks(of: photo.picture.address).isWhole)
    }

    @Test mutating func `whoever sends a wrong chunk is turned away, and nothing of it is kept`() throws {
        _ = handle(.cardChanged(of: try alice))
        let address = photo.picture.address
        _ = hold(address)
        var bytes = try #require(chunks[address]?.first).encoded
        bytes[bytes.count - 1] ^= 1
        let requests = handle(.heard(.chunk(address.root, bytes), from: fromAlice, nil))
        #expect(requests.offends(fromAlice))
        #expect(try disk.chunks(of: address).count == 0)
    }

    @Test mutating func `what was not asked for is not looked at`() throws {
        _ = handle(.cardChanged(of: try alice))
        let address = photo.picture.address
        let chunk = try #require(chunks[address]?.first)
        let requests = handle(.heard(.chunk(address.root, chunk.encoded), from: fromCarol, nil))
        #expect(requests.isEmpty)
        #expect(try disk.chunks(of: address).count == 0)
    }

    @Test mutating func `a full disk costs the network nothing, and is told once`() throws {
        _ = handle(.cardChanged(of: try alice))
        disk.condition = .full
        let first = hold(photo.picture.address)
        #expect(try first.messages(to: fromAlice).isEmpty)
        #expect(files.state(of: photo.picture.address).phase == .failed(.diskFull))
        let notices = first.count { if case .effect(.note(.notStored)) = $0 { true } else { false } }
        #expect(notices == 1)
        let again = hold(photo.picture.address)
        #expect(!again.contains { if case .effect(.note(.notStored)) = $0 { true } else { false } })
    }

    @Test mutating func `what is here is told to whoever asks by what names it, and sent`() throws {
        let address = photo.thumbnail.address
        _ = handle(.cardChanged(of: try alice))
        try fetch(address)
        let told = try handle(.asked(.card(try alice), by: fromCarol)).messages(to: fromCarol)
        #expect(told.contains { if case .files(.blobHeld(address.root, [1])) = $0 { true } else { false } })
        let sent = handle(.heard(.chunksWanted(address.root, [0]), from: fromCarol, nil))
        #expect(sent.contains { if case .effect(.sendChunk(fromCarol, address, 0)) = $0 { true } else { false } })
    }

    @Test mutating func `a photo that nobody shows any more is erased`() throws {
        let user = try alice
        _ = handle(.cardChanged(of: user))
        try fetch(photo.thumbnail.address)
        context.contacts.forget(user)
        _ = handle(.cardChanged(of: user))
        #expect(!files.index.names(photo.thumbnail.address))
        #expect(try disk.roots().isEmpty)
    }

    @Test mutating func `what is put in and never sent goes after an hour`() throws {
        let (reference, parts) = try Self.blob(of: 10, seed: 5)
        for chunk in parts { try disk.save(chunk) }
        _ = handle(.uploaded(reference))
        #expect(files.nextDeadline == Trio.moment.monotonic + FileExchange.uploadLifetime)
        context.moment = Trio.after(FileExchange.uploadLifetime)
        _ = handle(.tick)
        #expect(files.uploads.isEmpty)
        #expect(try !disk.roots().contains(reference.address.root))
    }

    private var alice: UserID {
        get throws { try #require(context.contacts.all.first { $0.name == "Alice" }).user }
    }
}
