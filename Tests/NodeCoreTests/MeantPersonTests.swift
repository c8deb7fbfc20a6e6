import Conversations
import OperationLog
import Testing

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// Alice knows Bob; Carol calls herself Bob, too.
@Suite("Whom a name means")
struct MeantPersonTests {
    private static let (alice, bob, carol) = (0, 1, 2)
    private var trio: Trio

    init() throws {
        trio = try Trio()
        try callCarol("Bob")
    }

    private mutating func callCarol(_ name: String) throws {
        try trio.cores[Self.carol].setProfile(name: name, at: Trio.moment)
        trio.cores[Self.alice].learn(trio.carol.card)
    }

    /// Whom a name means to Alice; nil where she is asked.
    private func meant(by name: String = "Bob") -> UserID? {
        trio.alice.meant(by: name, among: trio.alice.contacts.alike(name))?.user
    }

    /// One writes to another, who takes it in.
    private mutating func write(_ one: Int, to other: Int) throws {
        let (me, them) = (trio.cores[one].me, trio.cores[other].me)
        let direct = try trio.cores[one].openDirect(with: them, at: Trio.moment)
        _ = try trio.cores[one].send(["Ahoy"], to: direct, at: Trio.moment)
        trio.cores[other].open(direct, root: .direct(min(me, them), max(me, them)))
        for lane in Lane.allCases {
            let held = trio.disks[one].image.operations(of: direct, lane: lane)
            trio.cores[other].admit(
                Batch(lane: lane, operations: held).encoded, to: direct, lane: lane, from: PeerHandle(rawValue: 1_000))
        }
    }

    @Test func `two whom Alice knows by sight only are not told apart`() {
        #expect(meant() == nil)
        #expect(trio.alice.contacts.alike("Bob").count == 2)
    }

    @Test mutating func `the one with whom Alice talks is meant, whether both are there or nobody is`() throws {
        try write(Self.alice, to: Self.bob)
        #expect(meant() == trio.bob.me)
        _ = trio.connect(Self.alice, to: Self.bob)
        _ = trio.connect(Self.alice, to: Self.carol)
        #expect(meant() == trio.bob.me)
    }

    @Test mutating func `the one who is verified is meant, though Alice talks with the other`() throws {
        try write(Self.alice, to: Self.carol)
        try trio.cores[Self.alice].setVerified(true, of: trio.bob.me, at: Trio.moment)
        #expect(meant() == trio.bob.me)
    }

    @Test(arguments: [true, false])
    mutating func `nobody is meant where whom Alice knows is away and the other is here`(isVerified: Bool) throws {
        try write(Self.alice, to: Self.bob)
        if isVerified { try trio.cores[Self.alice].setVerified(true, of: trio.bob.me, at: Trio.moment) }
        let carol = trio.connect(Self.alice, to: Self.carol)
        #expect(meant() == nil, "they may have begun anew")
        trio.cores[Self.alice].close(carol)
        #expect(meant() == nil, "they were here a moment ago")
        trio.cores[Self.alice].handle(.tick, at: Trio.after(Strangers.nearbyTime + .seconds(1)))
        #expect(meant() == trio.bob.me)
    }

    @Test(arguments: ["bOB", "BOB", "Bo\u{2060}b"])
    mutating func `who writes the name in another way does not take it, however it is typed`(name: String) throws {
        try callCarol(name)
        try write(Self.alice, to: Self.bob)
        _ = trio.connect(Self.alice, to: Self.bob)
        _ = trio.connect(Self.alice, to: Self.carol)
        for typed in ["Bob", "bob", name] { #expect(meant(by: typed) == trio.bob.me, "\(typed)") }
    }

    /// Carol writes the name in letters that only look like those of Bob: the first two are Cyrillic, or there is a
    /// mark.
    @Test(arguments: ["Воb", "Bo\u{323}b", "B0b"])
    mutating func `who only looks so is never meant, and takes the name of nobody whom Alice knows`(name: String) throws
    {
        try callCarol(name)
        #expect(trio.alice.contacts.namesakes.map { Set($0.map(\.user)) } == [[trio.bob.me, trio.carol.me]])
        #expect(meant() == nil && meant(by: name) == nil, "Alice knows both by sight only")
        try write(Self.alice, to: Self.bob)
        #expect(meant() == trio.bob.me)
        #expect(meant(by: name) == nil, "it is how the stranger writes it")
        _ = trio.connect(Self.alice, to: Self.carol)
        #expect(meant() == trio.bob.me, "Bob did not begin anew: Carol writes another name")
        try write(Self.alice, to: Self.carol)
        #expect(
            meant() == trio.bob.me && meant(by: name) == trio.carol.me, "the spelling tells those apart whom she knows")
    }

    @Test mutating func `nobody is reached by a name that theirs only looks like`() throws {
        try callCarol("Саrоl")
        #expect(meant(by: "Carol") == nil)
        #expect(meant(by: "Саrоl") == trio.carol.me)
    }

    @Test mutating func `a stranger who writes to Alice does not become the one she knows`() throws {
        try write(Self.carol, to: Self.alice)
        let direct = ConversationID(directBetween: trio.alice.me, and: trio.carol.me)
        try #require(trio.alice.replicas[direct]?.operationCount ?? 0 > 0)
        #expect(meant() == nil)
        try write(Self.alice, to: Self.carol)
        #expect(meant() == trio.carol.me)
    }
}
