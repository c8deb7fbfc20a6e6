import LocalAPIModel
import Node
import PhotoFixtures
import Testing
import Waiting

@testable import LocalAPIClient

@Suite("The local API about photos of people", .scaledTimeLimit(minutes: 1))
struct ProfilePhotoRouteTests {
    private static let picture = PNGFile(width: 40, height: 30) { x, _ in x < 20 ? .red : .green }.encoded

    @Test func `makes a photo of a picture, and shows it wherever the user is listed`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let file = try await alice.client.upload(Self.picture, named: "me.png", mediaType: "image/png")
            #expect(try await alice.client.profile().photo == nil)
            let photo = try #require(try await alice.client.setProfile(photo: file.id).photo)
            #expect(photo.name == "Alice.jpg")
            #expect(photo.mediaType == "image/jpeg")
            #expect(photo.state == .here)
            #expect(try await alice.client.profile().photo == photo)
            #expect(try await alice.client.person("me").photo == photo)
            #expect(try await alice.client.people().compactMap(\.photo) == [photo])
            #expect(try await alice.client.conversation(group.id).members.compactMap(\.photo) == [photo])

            let renamed = try await alice.client.setProfile(name: "Alicia")
            #expect(renamed.photo?.id == photo.id)
            #expect(renamed.photo?.name == "Alicia.jpg")
            #expect(try await alice.client.setProfile(photo: "").photo == nil)
            #expect(try await alice.client.people().allSatisfy { $0.photo == nil })
            #expect(try await alice.client.conversation(group.id).members.allSatisfy { $0.photo == nil })
        }
    }

    @Test func `changes nothing when it makes no photo`() async throws {
        try await Alice.tells(knowing: []) { alice in
            let picture = try await alice.client.upload(Self.picture, named: "me.png", mediaType: "image/png")
            let before = try await alice.client.setProfile(photo: picture.id)
            for (bytes, expected) in [
                (Array("Ahoy".utf8), "photo_format"), (Array(Self.picture.dropLast(20)), "photo_truncated"),
            ] {
                let code = await refusal {
                    let file = try await alice.client.upload(bytes, named: "me", mediaType: "text/plain")
                    return try await alice.client.setProfile(name: "Alicia", photo: file.id)
                }
                #expect(code == expected)
            }
            #expect(
                await refusal { try await alice.client.setProfile(name: "Alicia", photo: "0123") } == "file_not_found")
            #expect(await refusal { try await alice.client.setProfile(name: " ", photo: "") } == "name_invalid")
            #expect(try await alice.client.profile() == before)
        }
    }

    @Test func `tells those who watch`() async throws {
        try await Alice.tells(knowing: []) { alice in
            struct Seen: Error {}
            let picture = try await alice.client.upload(Self.picture, named: "me.png", mediaType: "image/png")
            let photo = try await alice.client.setProfile(photo: picture.id).photo
            await #expect(throws: Seen.self) {
                try await alice.client.follow(since: alice.beginning) { event in
                    if event.type == .person, event.person?.isMe == true, event.person?.photo?.id == photo?.id {
                        throw Seen()
                    }
                }
            }
        }
    }

    @Test func `is shown to a peer, unless they block who shows it`() async throws {
        try await Alice.tells(knowing: [], besides: ["Dora"]) { alice in
            let dora = try #require(alice.strangers.first)
            let picture = try await alice.client.upload(Self.picture, named: "me.png", mediaType: "image/png")
            let photo = try #require(try await alice.client.setProfile(photo: picture.id).photo)
            _ = try await alice.client.addPerson(contact: dora.contact().code)
            await eventually("Dora has it") { try await dora.person("Alice").photo?.id == photo.id }
            #expect(try await dora.setBlocked(true, of: "Alice").photo == nil)
            #expect(try await dora.person("Alice").photo == nil)
            #expect(try await dora.setBlocked(false, of: "Alice").photo?.id == photo.id)
        }
    }
}
