import Foundation
import PhotoFixtures
import Photos
import Testing

extension Stories {
    @Suite("Photos")
    struct PhotoStories {
        /// What somebody might do who has taken over a reader of pictures, and how the process ends.
        private static let attempts: [(String, status: Int32)] = [
            ("nothing", 0), ("open", killed), ("create", killed), ("socket", killed), ("fork", killed),
            ("execute", killed), ("signal", killed), ("read-other", killed), ("new-code", killed), ("memory", 1),
            ("for-ever", 128 + SIGXCPU),
        ]

        /// The kernel ends a process that makes a call which is not allowed.
        private static let killed = 128 + SIGSYS

        @Test(arguments: attempts)
        func `a picture that takes over the process that reads it has taken over nothing`(
            attempt: String, status: Int32
        ) async throws {
            let library = try await Interposed("TakeOver")
            let scratch = try Scratch()
            let picture = scratch.file("picture.jpg")
            try Data(JPEGFile.file(width: 8, height: 8) { _, _ in .red }).write(to: URL(filePath: picture))
            let program = try Program(
                [TestNode.moot + "-photo"], environment: library.environment.merging(["MOOT_ATTEMPT": attempt]) { $1 },
                input: picture, output: scratch.file("output"), errors: scratch.file("errors"))
            #expect(await program.ended().status == status)
        }

        private struct PhotoAnswer: Decodable {
            let id: String
            let state: String
            let mediaType: String
        }

        private struct GroupAnswer: Decodable {
            let photo: PhotoAnswer?
        }

        private struct SavedAnswer: Decodable {
            let path: String
        }

        private struct SentFile: Decodable {
            struct Thumbnail: Decodable {
                let id: String
                let size: Int
                let here: Bool
            }

            let id: String
            let name: String
            let size: Int
            let kind: String
            let state: String
            let mediaType: String
            let thumbnail: Thumbnail?
        }

        @Test
        func `photos in a message arrive with thumbnails, and tell nothing but what they show`() async throws {
            let scratch = try Scratch()
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let carol = try TestNode("Carol")
            try await alice.start()
            try await bob.start(peers: [alice])
            try await carol.start(peers: [alice])
            await expectFullMesh([alice, bob, carol])
            try await makeGroup(alice, [bob, carol])

            let photo = try JPEGFile.file(width: 3_000, height: 1_500) { x, _ in x < 1_500 ? .red : .blue }
                .inserting(exif: JPEGFile.exif(orientation: 6))
            var shot = PNGFile(width: 40, height: 20) { _, _ in .red }
            shot.chunks = [("tEXt", Array("Comment\u{0}13.4E".utf8))]
            let animation = Array("GIF89a, which is not read here".utf8)
            var arguments = ["send", ship, "--json"]
            for (name, bytes) in [("harbour.jpg", photo), ("shot.png", shot.encoded), ("wave.gif", animation)] {
                try Data(bytes).write(to: URL(filePath: scratch.file(name)))
                arguments += ["--file", scratch.file(name)]
            }
            let sent = try await alice.outcome(arguments)
            #expect(sent.status == 0, "\(sent.errors)")
            for node in [alice, bob, carol] {
                await eventually("\(node.name) has all of them") {
                    let files: [SentFile] = try await node.answer("files", ship)
                    return files.map(\.state) == ["here", "here", "here"]
                        && files.compactMap(\.thumbnail).allSatisfy(\.here)
                }
                let files: [SentFile] = try await node.answer("files", ship)
                #expect(files.map(\.name) == ["harbour.jpg", "shot.jpg", "wave.gif"])
                #expect(files.map(\.mediaType) == ["image/jpeg", "image/jpeg", "image/gif"])
                #expect(files.last?.thumbnail == nil)
                let folder = scratch.file(node.name)
                try await node.run("files", ship, "--save", folder)
                #expect(try Array(Data(contentsOf: URL(filePath: "\(folder)/wave.gif"))) == animation)
                for (file, size) in zip(
                    files, [PictureSize(width: 1_024, height: 2_048), PictureSize(width: 40, height: 20)])
                {
                    let bytes = Array(try Data(contentsOf: URL(filePath: "\(folder)/\(file.name)")))
                    let header = try PictureHeader(of: bytes)
                    #expect(header.size == size && header.format == .jpeg && bytes.count == file.size)
                    let thumbnail = try #require(file.thumbnail)
                    let path = "\(folder)/thumbnail of \(file.name)"
                    _ = try await Host.thisMachine.run([
                        "curl", "--silent", "--fail", "--unix-socket", "\(node.home)/moot.sock", "--output", path,
                        "http://localhost/api/v1/blobs/\(thumbnail.id)",
                    ])
                    let small = Array(try Data(contentsOf: URL(filePath: path)))
                    #expect(small.count == thumbnail.size)
                    #expect(try PictureHeader(of: small).size == size?.fitting(within: 256))
                    for bytes in [bytes, small] {
                        #expect(!bytes.contains(text: "Exif") && !bytes.contains(text: "13.4E"))
                    }
                }
            }

            // What is no whole picture is not sent, whatever is sent with it.
            try Data(photo.prefix(photo.count - 50)).write(to: URL(filePath: scratch.file("cut.jpg")))
            #expect(
                try await alice.refusal(
                    "send", ship, "--file", scratch.file("wave.gif"), "--file", scratch.file("cut.jpg"))
                    == "photo_truncated")
            #expect(try await alice.answer("files", ship, as: [SentFile].self).count == 3)
            // Its thumbnail goes with a photo.
            let message = try JSONDecoder().decode(PhotoID.self, from: Data(sent.output.utf8)).id
            try await alice.run("delete", message)
            await eventually("Bob shows them no more") {
                try await bob.answer("files", ship, as: [SentFile].self).isEmpty
            }
        }

        private struct PhotoID: Decodable {
            let id: String
        }

        @Test
        func `a photo that an admin sets appears at the others, without what else was in its file`() async throws {
            let scratch = try Scratch()
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let carol = try TestNode("Carol")
            try await alice.start()
            try await bob.start(peers: [alice])
            try await carol.start(peers: [alice])
            await expectFullMesh([alice, bob, carol])
            try await makeGroup(alice, [bob, carol])

            let picture = scratch.file("harbour.jpg")
            let exif = JPEGFile.exif(orientation: 6)
            let file = try JPEGFile.file(width: 200, height: 100) { x, _ in x < 100 ? .red : .blue }.inserting(
                exif: exif)
            try Data(file).write(to: URL(filePath: picture))
            try await alice.run("photo", ship, picture)
            // Who comes later sees it as well.
            let dave = try TestNode("Dave")
            try await dave.start(peers: [alice])
            await eventually("Alice knows Dave") { try await alice.peers().contains("Dave") }
            try await alice.run("add", ship, "Dave")
            for node in [alice, bob, carol, dave] {
                await eventually("\(node.name) has the photo") {
                    try await node.answer("info", ship, as: GroupAnswer.self).photo?.state == "here"
                }
                let saved: SavedAnswer = try await node.answer("photo", ship, "--save", scratch.file(node.name))
                let bytes = Array(try Data(contentsOf: URL(filePath: saved.path)))
                #expect(!bytes.contains(text: "Exif") && !bytes.contains(text: "13.4E"))
                let header = try PictureHeader(of: bytes)
                #expect(header.size == PictureSize(width: 100, height: 200), "it is upright")
                let pixels = try Pixels(of: try #require(EncodedPicture(size: header.size, bytes: bytes)))
                #expect(pixels[50, 10].isLike(.red) && pixels[50, -10].isLike(.blue))
            }

            #expect(try await bob.messages(in: ship).contains { $0.text == "Alice changed the group photo" })

            try await alice.run("create", "Boat", "Bob", "Carol", "--photo", picture)
            await eventually("Bob has the photo of a group that was made with one") {
                try await bob.answer("info", "Boat", as: GroupAnswer.self).photo?.state == "here"
            }

            let none = scratch.file("none.jpg")
            try Data("no picture".utf8).write(to: URL(filePath: none))
            #expect(try await alice.refusal("photo", ship, none) == "photo_format")
            try Data(file.prefix(file.count - 50)).write(to: URL(filePath: none))
            #expect(try await alice.refusal("photo", ship, none) == "photo_truncated")
            #expect(try await bob.refusal("photo", ship, picture) == "insufficient_permissions")

            try await alice.run("photo", ship, "--remove")
            for node in [alice, bob, carol] {
                await eventually("\(node.name) has no photo any more") {
                    try await node.answer("info", ship, as: GroupAnswer.self).photo == nil
                }
            }
            #expect(try await bob.refusal("photo", ship, "--save", scratch.file("Bob")) == "file_not_found")
        }
    }
}
