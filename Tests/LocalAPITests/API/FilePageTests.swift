import LocalAPIModel
import Node
import Testing

@testable import LocalAPIClient

@Suite("The local API about the files of a conversation")
struct FilePageTests {
    /// Sends one file in a message of its own.
    private func send(_ name: String, _ type: String, to group: String, by client: LocalClient) async throws -> String {
        let file = try await client.upload(Array(name.utf8), named: name, mediaType: type)
        return try await client.send("Look", files: [file.id], to: group).id
    }

    @Test func `lists files page by page, the newest first, each page in the order of arrival`() async throws {
        try await Alice.tells { alice in
            let client = alice.client
            let group = try await client.createGroup(name: "Ship", members: ["Bob", "Carol"]).id
            var messages: [String] = []
            for number in 1...5 {
                messages.append(try await send("\(number).txt", "text/plain", to: group, by: client))
                _ = try await client.send("nothing", to: group)
            }
            let newest = try await client.files(in: group, before: nil, limit: 2)
            #expect(newest.files.map(\.name) == ["4.txt", "5.txt"])
            let middle = try await client.files(in: group, before: newest.earlier, limit: 2)
            #expect(middle.files.map(\.name) == ["2.txt", "3.txt"])
            // A page begins where the one before ended, also if that file is gone meanwhile.
            _ = try await client.delete(messages[1])
            let oldest = try await client.files(in: group, before: middle.earlier, limit: 2)
            #expect(oldest.files.map(\.name) == ["1.txt"] && oldest.earlier == nil)
            #expect(try await client.files(in: group).map(\.name) == ["1.txt", "3.txt", "4.txt", "5.txt"])
            let whole = try await client.files(in: group, before: nil, limit: 4)
            #expect(whole.files.count == 4 && whole.earlier == nil)
        }
    }

    @Test func `finds the few of a kind among many others`() async throws {
        try await Alice.tells { alice in
            let client = alice.client
            let group = try await client.createGroup(name: "Ship", members: ["Bob", "Carol"]).id
            for name in ["one.mp4", "two.mp4"] { _ = try await send(name, "video/mp4", to: group, by: client) }
            let file = try await client.upload([1], named: "a", mediaType: "text/plain")
            for _ in 1...40 {
                _ = try await client.send("Look", files: Array(repeating: file.id, count: 16), to: group)
            }
            let page = try await client.files(in: group, kind: .video, before: nil, limit: 1)
            #expect(page.files.map(\.name) == ["two.mp4"])
            let rest = try await client.files(in: group, kind: .video, before: page.earlier, limit: 1)
            #expect(rest.files.map(\.name) == ["one.mp4"] && rest.earlier == nil)
            #expect(try await client.files(in: group, kind: .file).count == 640)
            #expect(try await client.files(in: group, kind: .photo, before: nil, limit: 1).files.isEmpty)
        }
    }

    @Test func `refuses what is no page`() async throws {
        try await Alice.tells { alice in
            let client = alice.client
            let group = try await client.createGroup(name: "Ship", members: ["Bob", "Carol"]).id
            for limit in [0, Node.maximumFilesPerPage + 1] {
                await #expect(throws: LocalClientError.self) {
                    try await client.files(in: group, before: nil, limit: limit)
                }
            }
            for before in ["x", String(repeating: "0", count: 64)] {
                let refused = await #expect(throws: LocalClientError.self) {
                    try await client.files(in: group, before: before, limit: 1)
                }
                #expect(refused?.detail.code == "file_not_found")
            }
        }
    }
}
