import Foundation
import LocalAPIModel
import Node
import PhotoFixtures
import Photos
import Testing

@testable import LocalAPIClient

@Suite("The local API about photos")
struct PhotoRouteTests {
    private func put(
        _ bytes: [UInt8], named name: String, as type: String, into alice: Alice
    ) async throws -> FileDescription {
        var rest = bytes
        return try await alice.client.upload(named: name, mediaType: type, length: bytes.count) {
            defer { rest = [] }
            return rest
        }
    }

    private func bytes(of id: String, at alice: Alice) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        try await alice.client.download(id) { bytes += $0 }
        return bytes
    }

    /// The files on Alice's disk, each by its id.
    private func stored(by alice: Alice) throws -> Set<String> {
        let home = URL(filePath: alice.node.socketPath).deletingLastPathComponent().path
        return Set(try FileManager.default.contentsOfDirectory(atPath: home + "/blobs"))
    }

    private let picture: [UInt8]

    init() throws {
        picture = try JPEGFile.file(width: 600, height: 300) { x, _ in x < 300 ? .red : .blue }
            .inserting(exif: JPEGFile.exif(orientation: 6))
    }

    @Test(arguments: [("shot.png", "image/png"), ("shot.jpg", "image/jpeg"), ("shot.txt", "text/plain")])
    func `keeps a photo instead of a picture, whatever that claims to be`(name: String, type: String) async throws {
        try await Alice.tells { alice in
            let file = try await put(picture, named: name, as: type, into: alice)
            #expect(file.name == (name == "shot.txt" ? "shot.txt.jpg" : "shot.jpg"))
            #expect(file.mediaType == "image/jpeg" && file.kind == .photo && file.state == .here)
            let thumbnail = try #require(file.thumbnail)
            #expect(thumbnail.here)
            // The picture was turned by a quarter.
            #expect(file.width == 300 && file.height == 600)
            #expect(thumbnail.width == 128 && thumbnail.height == 256)
            #expect(try stored(by: alice) == [file.id, thumbnail.id], "the picture itself is gone")
            let photo = try await bytes(of: file.id, at: alice)
            #expect(photo.count == file.size)
            #expect(try PictureHeader(of: photo).size == PictureSize(width: 300, height: 600))
            let small = try await bytes(of: thumbnail.id, at: alice)
            #expect(small.count == thumbnail.size)
            #expect(try PictureHeader(of: small).size == PictureSize(width: 128, height: 256))
            for bytes in [photo, small] { #expect(Data(bytes).range(of: Data("Exif".utf8)) == nil) }
        }
    }

    @Test func `sends a photo with its thumbnail, also once more to others`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let boat = try await alice.client.createGroup(name: "Boat", members: ["Bob", "Carol"])
            let file = try await put(picture, named: "shot.png", as: "image/png", into: alice)
            let sent = try await alice.client.send(nil, files: [file.id], to: group.id)
            #expect(sent.text == "shot.jpg" && sent.files.map(\.thumbnail) == [file.thumbnail])
            let again = try await alice.client.send("Look", files: [file.id], to: boat.id)
            #expect(again.files.map(\.thumbnail) == [file.thumbnail])
            let listed = try await alice.client.files(in: boat.id, kind: .photo)
            #expect(listed.map(\.thumbnail) == [file.thumbnail])
            #expect(try await alice.client.status().filesBytes > 0)
        }
    }

    @Test func `makes a group's photo of one that was put in, and names the group with it`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let file = try await put(picture, named: "shot.png", as: "image/png", into: alice)
            let photo = try #require(try await alice.client.change(group.id, photo: file.id).photo)
            #expect(photo.id == file.id && photo.thumbnail == file.thumbnail)
            #expect(photo.conversation == group.id && photo.message == nil)
        }
    }

    @Test func `refuses pictures of which no photo can be made, and keeps nothing of them`() async throws {
        try await Alice.tells { alice in
            let cut = Array(picture.prefix(picture.count - 50))
            for (bytes, type, code) in [
                (cut, "image/jpeg", "photo_truncated"), (Array("GIF89a".utf8), "image/png", "photo_format"),
                ([0xFF, 0xD8, 0xFF, 0xD9], "text/plain", "photo_truncated"), ([], "image/jpeg", "photo_format"),
            ] {
                do {
                    _ = try await put(bytes, named: "shot", as: type, into: alice)
                    Issue.record("it was taken for \(type)")
                } catch LocalClientError.refused(let detail) {
                    #expect(detail.code == code)
                    #expect(detail.hint?.contains("archive") == true)
                }
            }
            #expect(try stored(by: alice).isEmpty)
        }
    }

    @Test(arguments: ["image/gif", "image/webp", "image/svg+xml", "image/heic", "video/mp4", "application/zip"])
    func `keeps everything else as it is`(type: String) async throws {
        try await Alice.tells { alice in
            let bytes = Array("neither JPEG nor PNG".utf8)
            let file = try await put(bytes, named: "a.b", as: type, into: alice)
            #expect(file.name == "a.b" && file.mediaType == type && file.thumbnail == nil)
            #expect(try await self.bytes(of: file.id, at: alice) == bytes)
        }
    }
}
