import Foundation
import Testing
import Waiting

extension Stories {
    @Suite("Search")
    struct Search {
        @Test(arguments: ["on", "off"])
        func `messages are found by their words, with an index and without`(index: String) async throws {
            let alice = try TestNode("Alice", options: TestNode.loopback + ["--search-index", index])
            let bob = try TestNode("Bob", options: TestNode.loopback + ["--search-index", index])
            let carol = try TestNode("Carol")
            try await alice.start()
            try await bob.start(peers: [alice])
            try await carol.start(peers: [alice, bob])
            await expectFullMesh([alice, bob, carol])
            try await makeGroup(alice, [bob, carol])
            try await alice.run("send", ship, "The ferry leaves at nine from the Überseebrücke")
            try await bob.run("send", ship, "--lines", input: (1...1_200).map { "ballast number \($0)\n" }.joined())
            let direct: ConversationAnswer = try await alice.answer("direct", "Bob")
            try await alice.run("send", direct.id, "Do you take the ferry?")
            await eventually("Bob has it all") {
                let (here, there) = (try await bob.texts(in: direct.id), try await bob.texts(in: ship))
                return here.count == 1 && there.count == 1_201
            }

            for node in [alice, bob] {
                #expect(
                    try await node.found("ferry") == [
                        "Do you take the ferry?", "The ferry leaves at nine from the Überseebrücke",
                    ])
                #expect(try await node.found("uberseebr nin") == [])
                #expect(try await node.found("NINE uberseebr").count == 1)
                #expect(try await node.found("ferry", "--in", ship).count == 1)
                #expect(try await node.found("ballast", "1200") == ["ballast number 1200"])
                #expect(try await node.found("zeppelin") == [])
            }
            for (text, word) in [("你好世界", "世界"), ("ありがとうございます", "ございます"), ("한국어사전", "사전"), ("สวัสดีชาวโลก", "ชาวโลก")] {
                try await alice.run("send", direct.id, text)
                for node in [alice, bob] {
                    await eventually("\(node.name) finds \(word)") { try await node.found(word) == [text] }
                }
            }
            let first: SearchAnswer = try await bob.answer("search", "ballast", "--limit", "2")
            #expect(first.hits.map(\.message.text) == ["ballast number 1200", "ballast number 1199"])
            let next: SearchAnswer = try await bob.answer(
                "search", "ballast", "--limit", "2", "--before", try #require(first.earlier))
            #expect(next.hits.map(\.message.text) == ["ballast number 1198", "ballast number 1197"])
            #expect(try await bob.refusal("search", "?!") == "invalid_request")
            #expect(try await bob.refusal("search", "ferry", "--in", "Nowhere") == "conversation_not_found")
            let ferry: SearchAnswer = try await bob.answer("search", "Überseebrücke")
            let (id, question) = (try #require(ferry.hits.first).message.id, "Do you take the ferry?")
            try await alice.run("edit", id, "The zeppelin leaves at ten")
            for node in [alice, bob] {
                await eventually("\(node.name) finds what it says now") {
                    try await node.found("zeppelin") == ["The zeppelin leaves at ten"]
                }
                #expect(try await node.found("ferry") == [question])
            }
            try await alice.run("delete", id)
            await eventually("nobody finds what is gone") { try await bob.found("zeppelin") == [] }
            #expect(try await alice.found("zeppelin") == [])
            // Carol was not meant to read it, so they do not find it.
            #expect(try await carol.found("ferry") == [])
            #expect(try await carol.found("ballast", "1200") == ["ballast number 1200"])
            await eventually("what was deleted is in no index") {
                try bob.files(with: Data("zeppelin".utf8)).isEmpty
            }

            await bob.stop()
            #expect(try bob.files(with: Data("ballast number 77".utf8)).isEmpty == (index == "off"))
            try await bob.start(peers: [alice])
            #expect(try await bob.found("ferry").count == 1, "what was indexed before the restart is there after it")
        }

        @Test
        func `with a passphrase the index is gone from the disk`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            try await alice.start()
            try await bob.start(peers: [alice])
            await expectFullMesh([alice, bob])
            let direct: ConversationAnswer = try await alice.answer("direct", "Bob")
            try await alice.run("send", direct.id, "xylophone")
            await eventually("it is indexed") { try alice.files(with: Data("xylophone".utf8)) != [] }
            await alice.stop()
            let scratch = try Scratch()
            let secret = scratch.file("passphrase")
            try Data("open sesame, please\n".utf8).write(to: URL(filePath: secret))
            try await alice.run("passphrase", "set", "--new-passphrase-file", secret)
            try await alice.launch(TestNode.loopback + ["--passphrase-file", secret])
            await eventually("Alice's node answers") { try await alice.found("xylophone") == ["xylophone"] }
            await alice.stop()
            #expect(try alice.files(with: Data("xylophone".utf8)) == [])
        }
    }
}

private struct SearchAnswer: Decodable, Sendable {
    struct Hit: Decodable, Sendable {
        let message: MessageAnswer
        let title: String
        let excerpt: String
    }

    let hits: [Hit]
    let earlier: String?
}

extension TestNode {
    /// The texts that a search finds.
    fileprivate func found(_ arguments: String...) async throws -> [String] {
        let outcome = try await outcome(["search", "--json"] + arguments)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(SearchAnswer.self, from: Data(outcome.output.utf8)).hits.map(\.message.text)
    }
}
