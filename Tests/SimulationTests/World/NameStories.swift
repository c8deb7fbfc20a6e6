import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

@testable import NodeCore
@testable import Simulation

/// What a node makes of names that break the rule: its user cannot give any, and others' are shown as far as they can
/// be.
@Suite("Names between nodes")
struct NameStories {
    private let moment = StrangerGroupFixture.moment

    /// A card under a name that no honest node signs.
    private func card(of person: Person, version: UInt64, named name: String) throws -> ProfileCard {
        var writer = CanonicalWriter()
        writer.write(number: version)
        writer.write(text: name)
        writer.write(data: [])
        writer.write(data: person.credentials.identity.encoded)
        var statement = Statement("moot/1/card")
        statement.append(writer.bytes)
        writer.write(raw: person.root.sign(statement.bytes).bytes)
        return try ProfileCard(verifying: writer.bytes)
    }

    @Test
    func `a card whose name breaks the rule counts, and its name is shown without what breaks it`() throws {
        var fixture = try StrangerGroupFixture()
        let handle = fixture.connect(to: fixture.bob)
        let long = String(repeating: "b", count: 51)
        let names = [
            ("\u{202E}boB", "boB"), ("Bob\n\u{1B}[2J", "Bob [2J"), ("\u{200B}", "Unknown"), ("", "Unknown"),
            (long, String(long.prefix(49)) + "…"), ("Notes to yourself", "\"Notes to yourself\" (a chosen name)"),
            ("Dеleted User", "\"Dеleted User\" (a chosen name)"), ("Bob", "Bob"),
        ]
        for (index, (raw, shown)) in names.enumerated() {
            let card = try card(of: fixture.bob, version: UInt64(index) + 2, named: raw)
            fixture.alice.introduce(handle, Introduction(card: card, wraps: []).encoded, port: 0)
            #expect(fixture.alice.contacts[fixture.bob.user].card == card)
            #expect(fixture.alice.contacts[fixture.bob.user].name == shown)
        }
    }

    @Test(arguments: [
        "\u{200B}", "\u{200F}", "Al\u{0}ice", "Al\nice", "\u{202E}Alice", String(repeating: "a", count: 51),
        "Deleted User",
        "notes to yоurself",
    ])
    func `nobody gives themselves or a group a name that breaks the rule`(name: String) throws {
        var fixture = try StrangerGroupFixture()
        let before = fixture.alice.card
        let own = #expect(throws: NodeError.self) { try fixture.alice.setProfile(name: name, at: moment) }
        #expect(own?.code == .nameInvalid)
        #expect(own?.message.hasPrefix("A name has ") == true)
        #expect(fixture.alice.card == before)
        let people = [fixture.bob.user, fixture.carol.user]
        let group = #expect(throws: NodeError.self) {
            try fixture.alice.createGroup(name: name, members: people, at: moment)
        }
        #expect(group?.code == .nameInvalid)
        #expect(group?.message.hasPrefix("A group name has ") == true)
    }

    @Test
    func `50 families are a name, and the same name once more is no new version`() throws {
        var fixture = try StrangerGroupFixture()
        let families = String(
            repeating: "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}", count: 50)
        try fixture.alice.setProfile(name: families, at: moment)
        #expect(fixture.alice.contacts[fixture.alice.me].name == families)
        let version = fixture.alice.card.version
        try fixture.alice.setProfile(name: " \(families) ", at: moment)
        #expect(fixture.alice.card.version == version)
    }
}
