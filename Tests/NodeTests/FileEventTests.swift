import BlobStore
import Blobs
import Cryptography
import LocalAPIModel
import Testing
import Waiting

@testable import Node
@testable import NodeCore

/// What a node says while a file comes.
@Suite("Events about files")
struct FileEventTests {
    /// Puts bytes in that nobody has to be able to show.
    private func putIn(_ count: Int, at node: Node) async throws -> BlobReference {
        var upload = try node.receiveFile()
        _ = try upload.append((0..<count).map { _ in UInt8.random(in: 0...255) })
        let reference = try upload.finish(mediaType: .photo)
        return try #require(reference)
    }

    @Test(.scaledTimeLimit(minutes: 2)) func `tell how far the photo is that an admin has set, and name the group`()
        async throws
    {
        let scratch = try Scratch()
        let alice = try await Node.start("Alice", in: scratch)
        let bob = try await Node.start("Bob", in: scratch, peers: await alice.status().listening)
        let carol = try await Node.start("Carol", in: scratch, peers: await alice.status().listening)
        for node in [alice, bob, carol] {
            await eventually("everybody knows everybody") { await node.hasMet(2) }
        }
        let ship = try await alice.createGroup(name: "Ship", members: ["Bob", "Carol"]).id
        await eventually("they are in") { try await !bob.conversations().isEmpty }
        let events = await bob.subscribe().events

        let picture = try await putIn(4_000_000, at: alice)
        let thumbnail = try await putIn(5_000, at: alice)
        let photo = try #require(PhotoReference(picture: picture, thumbnail: thumbnail))
        await alice.note(photo)
        _ = try await alice.set(name: nil, description: nil, photo: .set(photo), of: ship)

        var seen: [FileDescription] = []
        for await event in events {
            guard let file = event.event.file, file.id == picture.address.root.hexadecimal else { continue }
            #expect(event.event.conversation == ship)
            seen.append(file)
            if file.state == .here { break }
        }
        #expect(seen.map(\.received) == seen.map(\.received).sorted())
        #expect(seen.contains { $0.state == .fetching && (1..<4_000_000).contains($0.received) })
        #expect(seen.last?.received == 4_000_000)
        // At most one for each hundredth, whatever else happens.
        #expect(seen.count <= 110)
        for node in [alice, bob, carol] { await node.stop() }
    }
}
