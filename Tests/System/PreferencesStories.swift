import Foundation
import Testing
import Waiting

extension Stories {
    @Suite("Preferences")
    struct Preferences {
        private struct Kept: Decodable {
            let title: String
            let pinned: Bool
            let archived: Bool
            let mutedUntil: String?
            let tags: [String]
            let draft: String?
            let unread: Int
        }

        private struct Badge: Decodable {
            let unread: Int
        }

        @Test
        func `what Alice keeps for themselves survives a crash, and neither their disk nor Bob reveals it`()
            async throws
        {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let carol = try TestNode("Carol")
            try await alice.start()
            try await bob.start(peers: [alice])
            try await carol.start(peers: [alice])
            await expectFullMesh([alice, bob, carol])
            try await makeGroup(alice, [bob, carol])

            let draft = "I would rather not say this to anybody"
            try await alice.run("private", ship, "--pin", "--tag", "high seas", "--tag", "work", "--draft", draft)
            try await alice.run("mute", ship, "8h")
            try await alice.run("archive", ship)
            await alice.kill()
            #expect(try files(of: alice, revealing: [draft, "high seas"]).isEmpty)

            try await alice.start(peers: [bob, carol])
            let kept: Kept = try await alice.answer("private", ship)
            #expect(kept.pinned && kept.archived && kept.mutedUntil != nil)
            #expect((kept.tags, kept.draft) == (["high seas", "work"], draft))
            #expect(try await alice.answer("list", as: [Kept].self).isEmpty)
            #expect(try await alice.answer("list", "--archived", "--tag", "work", as: [Kept].self).count == 1)
            let seenByBob: Kept = try await bob.answer("info", ship)
            #expect(!seenByBob.pinned && !seenByBob.archived && seenByBob.tags.isEmpty && seenByBob.draft == nil)

            // What comes does not bring it back, and counts for itself but not for the badge.
            await expectFullMesh([alice, bob, carol])
            try await bob.run("send", ship, "Anybody there?")
            await eventually("Alice has one to read in the archive") {
                try await alice.answer("list", "--archived", as: [Kept].self).map(\.unread) == [1]
            }
            #expect(try await alice.answer("status", as: Badge.self).unread == 0)
            try await alice.run("archive", ship, "--undo")
            try await alice.run("mute", ship, "--off")
            try await alice.run("draft", ship, "--clear")
            #expect(try await alice.answer("status", as: Badge.self).unread == 1)
            let cleared: Kept = try await alice.answer("private", ship, "--unpin", "--untag", "work")
            #expect(!cleared.pinned && !cleared.archived && cleared.mutedUntil == nil && cleared.draft == nil)
            #expect(cleared.tags == ["high seas"])
        }

        /// The files of a home in which any of some texts stands as it is.
        private func files(of node: TestNode, revealing texts: [String]) throws -> [String] {
            let paths = try #require(FileManager.default.enumerator(atPath: node.home)).compactMap { $0 as? String }
            #expect(paths.contains("replica.sqlite"))
            return paths.filter { path in
                guard let content = FileManager.default.contents(atPath: "\(node.home)/\(path)") else { return false }
                return texts.contains { content.range(of: Data($0.utf8)) != nil }
            }
        }
    }
}
