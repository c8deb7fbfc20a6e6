import Foundation
import PhotoFixtures
import Photos
import Testing
import Waiting

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

        private struct GroupAnswer: Decodable {
            let photo: PhotoResponse?
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
            let (alice, bob, carol) = try await groupOfThree()

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

        /// Makes a group with a photo at a terminal, where the bar that says how far the picture is does not stay.
        private func makeBoat(_ alice: TestNode, with picture: String) async throws {
            let screen = try await Screen(rows: 20, columns: 240, environment: ["MOOT_HOME": alice.home])
            try await screen.type("'\(TestNode.moot)' create Boat Bob Carol --photo '\(picture)'")
            try await screen.press("Enter")
            await screen.expect("You made Boat, with 3 members.")
            let shown = try await screen.shown()
            #expect(!shown.contains { $0.contains("100 %") }, "\(shown)")
        }

        @Test
        func `a photo that an admin sets appears at the others, without what else was in its file`() async throws {
            let scratch = try Scratch()
            let (alice, bob, carol) = try await groupOfThree()

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

            try await makeBoat(alice, with: picture)
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

        private struct ProfileAnswer: Decodable {
            let name: String
            let photo: PhotoResponse?
        }

        private struct MemberAnswer: Decodable {
            let name: String
            let photo: PhotoResponse?
        }

        private struct MembersAnswer: Decodable {
            let members: [MemberAnswer]
        }

        @Test
        func `a person's photo is shown wherever others list them, until they take it away`() async throws {
            let scratch = try Scratch()
            let (alice, bob, carol) = try await groupOfThree()

            let picture = scratch.file("me.jpg")
            let file = try JPEGFile.file(width: 200, height: 100) { x, _ in x < 100 ? .red : .blue }.inserting(
                exif: JPEGFile.exif(orientation: 6))
            try Data(file).write(to: URL(filePath: picture))
            let mine: ProfileAnswer = try await alice.answer("profile", "set", "--photo", picture)
            let photo = try #require(mine.photo)
            #expect(photo.state == "here" && photo.mediaType == "image/jpeg")
            #expect(try await alice.answer("profile", as: ProfileAnswer.self).photo?.id == photo.id)
            #expect(try await alice.run("profile").contains("photo   here"))
            for node in [bob, carol] {
                await eventually("\(node.name) sees that Alice has a photo") {
                    try await node.person("Alice")?.photo?.id == photo.id
                }
                let members = try await node.answer("info", ship, as: MembersAnswer.self).members
                #expect(members.filter { $0.photo != nil }.map(\.name) == ["Alice"])
                await eventually("\(node.name) has the photo") {
                    try await node.person("Alice")?.photo?.state == "here"
                }
                let saved: SavedAnswer = try await node.answer(
                    "people", "photo", "Alice", "--save", scratch.file(node.name))
                let bytes = try Data(contentsOf: URL(filePath: saved.path))
                #expect(bytes.prefix(2) == Data([0xFF, 0xD8]) && bytes.range(of: Data("Exif".utf8)) == nil)
            }

            // Who was away hears of a new photo when they are back.
            await bob.stop()
            try await alice.run("profile", "set", "--photo", picture)
            let second = try #require(try await alice.answer("profile", as: ProfileAnswer.self).photo)
            #expect(second.id != photo.id)
            await alice.kill()
            try await alice.start()
            #expect(try await alice.answer("profile", as: ProfileAnswer.self).photo?.id == second.id)
            try await bob.start(peers: [alice])
            await eventually("Bob sees the second photo") {
                try await bob.person("Alice")?.photo.map { $0.id == second.id && $0.state == "here" } ?? false
            }

            // What Bob does not want to see they do not see.
            try await bob.run("people", "block", "Alice")
            #expect(try await bob.person("Alice")?.photo == nil)
            #expect(
                try await bob.refusal("people", "photo", "Alice", "--save", scratch.file("Bob")) == "file_not_found")
            try await bob.run("people", "unblock", "Alice")
            #expect(try await bob.person("Alice")?.photo?.id == second.id)

            let none = scratch.file("none.jpg")
            try Data("no picture".utf8).write(to: URL(filePath: none))
            #expect(try await alice.refusal("profile", "set", "--name", "Al", "--photo", none) == "photo_format")
            #expect(try await alice.answer("profile", as: ProfileAnswer.self).name == "Alice")

            try await alice.run("profile", "set", "--remove-photo")
            for node in [alice, bob] {
                await eventually("\(node.name) sees no photo any more") {
                    try await node.person("Alice").map { $0.photo == nil } ?? false
                }
            }
            #expect(
                try await bob.refusal("people", "photo", "Alice", "--save", scratch.file("Bob")) == "file_not_found")
        }
    }
}

extension TestNode {
    /// A person as the list of everybody shows them.
    fileprivate func person(_ name: String) async throws -> PersonAnswer? {
        try await answer("people", as: [PersonAnswer].self).first { $0.name == name }
    }
}
