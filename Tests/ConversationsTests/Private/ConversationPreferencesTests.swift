import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Testing
import Time

/// Alice's private state on the devices they have.
@Suite("Private state")
struct ConversationPreferencesTests {
    private typealias Tag = Conversations.Tag

    private static let laptop = DeviceID(digest: .hash("moot/1/test", Array("laptop".utf8)))
    private static let phone = DeviceID(digest: .hash("moot/1/test", Array("phone".utf8)))
    private static let noon = Timestamp(clamping: 1_800_000_000_000)
    private static let later = Timestamp(clamping: noon.milliseconds + 1)
    private static let yearAgo = Timestamp(clamping: noon.milliseconds - 365 * 86_400_000)

    @Test func `of two drafts the one begun later counts on both devices`() throws {
        let atHome = try state(change { $0.draft = "Dear" }, at: Self.noon, by: Self.laptop)
        let onTheWay = try state(change { $0.draft = "Hi" }, at: Self.later, by: Self.phone)
        #expect(atHome.merging(onTheWay).draft == "Hi")
        #expect(onTheWay.merging(atHome).draft == "Hi")
    }

    @Test func `a change counts although the clock went back by a year`() throws {
        var state = try state(change { $0.pinned = true }, at: Self.noon, by: Self.phone)
        try state.apply(change { $0.pinned = false }, at: Self.yearAgo, by: Self.laptop)
        #expect(!state.isPinned)
    }

    @Test func `devices that were apart keep what each of them changed`() throws {
        let pinning = try change {
            $0.pinned = true
            $0.addedTags = [try tag("work")]
        }
        let muting = try change {
            $0.muting = .on(Mute(until: nil))
            $0.addedTags = [try tag("urgent")]
        }
        let pinned = try state(pinning, by: Self.laptop)
        let muted = try state(muting, by: Self.phone)
        let both = pinned.merging(muted)
        #expect(both.isPinned)
        #expect(both.mute(at: Self.noon) == Mute(until: nil))
        #expect(both.tags.map(\.text) == ["urgent", "work"])
    }

    @Test func `a tag taken away on one device does not come back from the other`() throws {
        var laptop = try state(change { $0.tags = [try tag("work"), try tag("ship")] }, by: Self.laptop)
        let phone = laptop
        try laptop.apply(change { $0.removedTags = [try tag("work")] }, at: Self.later, by: Self.laptop)
        #expect(phone.merging(laptop).tags.map(\.text) == ["ship"])
    }

    @Test func `a mute ends by itself, and one forever does not`() throws {
        let state = try state(change { $0.muting = .on(Mute(until: Self.later, allowsMentions: true)) }, by: Self.phone)
        #expect(state.mute(at: Self.noon)?.allowsMentions == true)
        #expect(state.mute(at: Self.later) == nil)
        let forEver = try self.state(change { $0.muting = .on(Mute(until: nil)) }, by: Self.phone)
        #expect(forEver.mute(at: .latest) != nil)
    }

    @Test func `seventeen tags are refused, and nothing is changed`() throws {
        var state = try state(change { $0.tags = try (1...16).map { try tag("\($0)") } }, by: Self.phone)
        let before = state
        #expect(throws: PreferencesLimit.tags) {
            try state.apply(change { $0.addedTags = [try tag("one more")] }, at: Self.later, by: Self.phone)
        }
        #expect(throws: PreferencesLimit.draft) {
            try state.apply(
                change { $0.draft = String(repeating: "x", count: ConversationPreferences.maximumDraftBytes + 1) },
                at: Self.later,
                by: Self.phone)
        }
        #expect(state == before)
    }

    @Test func `two devices may have given more tags together, which can still be taken away one by one`() throws {
        let laptop = try state(change { $0.tags = try (1...16).map { try tag("l\($0)") } }, by: Self.laptop)
        var both = laptop.merging(
            try state(change { $0.tags = try (1...16).map { try tag("p\($0)") } }, by: Self.phone))
        #expect(both.tags.count == 32)
        try both.apply(change { $0.removedTags = [try tag("p1")] }, at: Self.later, by: Self.phone)
        #expect(both.tags.count == 31)
    }

    @Test func `an old tag outlives a hundred that came and went`() throws {
        var state = try state(change { $0.tags = [try tag("old")] }, by: Self.phone)
        for number in 1...100 {
            try state.apply(change { $0.addedTags = [try tag("\(number)")] }, at: Self.noon, by: Self.phone)
            try state.apply(change { $0.removedTags = [try tag("\(number)")] }, at: Self.noon, by: Self.phone)
        }
        #expect(state.tags.map(\.text) == ["old"])
        #expect(state.encoded.count < 4_000)
    }

    @Test(arguments: ["", " work", "work ", "a\nb", "a\u{7}b", String(repeating: "x", count: 33)])
    func `a tag has 1 to 32 characters, none of them a control character, and no space around`(text: String) {
        #expect(Tag(text) == nil)
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `merging is commutative, associative and idempotent`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let states = try ConversationPreferences.related(3, using: &random)
        let (a, b, c) = (states[0], states[1], states[2])
        #expect(a.merging(b) == b.merging(a), "seed \(seed)")
        #expect(a.merging(b).merging(c) == a.merging(b.merging(c)), "seed \(seed)")
        #expect(a.merging(b).merging(b) == a.merging(b), "seed \(seed)")
        #expect(a.merging(a) == a, "seed \(seed)")
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `what is encoded is decoded as it was`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let state = try ConversationPreferences.related(2, using: &random).reduce(ConversationPreferences()) {
            $0.merging($1)
        }
        let bytes = state.encoded
        let decoded = try ConversationPreferences(decoding: bytes)
        #expect(decoded == state, "seed \(seed)")
        #expect(decoded.encoded == bytes, "seed \(seed)")
        #expect(bytes.count <= ConversationPreferences.maximumBytes, "seed \(seed)")
        for _ in 0..<4 {
            let cut = Int.random(in: 0..<bytes.count, using: &random)
            #expect(throws: MalformedBytes.self, "seed \(seed)") {
                try ConversationPreferences(decoding: Array(bytes[..<cut]))
            }
        }
    }

    @Test func `other bytes are no private state`() {
        #expect(throws: MalformedBytes.invalid(field: "version")) {
            try ConversationPreferences(decoding: [4, 0, 0, 0, 0, 0])
        }
        #expect(throws: MalformedBytes.trailing(count: 1)) {
            try ConversationPreferences(decoding: [1, 0, 0, 0, 0, 0, 0])
        }
        #expect(throws: MalformedBytes.tooLong(field: "tags", limit: 64)) {
            try ConversationPreferences(decoding: [1, 0, 0, 0, 0, 65])
        }
    }

    @Test(arguments: 1...100 as ClosedRange<UInt64>)
    func `other stamps leave every value as it was, and none leaves nothing`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let state = try ConversationPreferences.related(2, using: &random).reduce(ConversationPreferences()) {
            $0.merging($1)
        }
        let changed = state.restamping { $0.takenOver(by: Self.laptop, at: Self.noon) }
        #expect(changed.isPinned == state.isPinned && changed.archived == state.archived, "seed \(seed)")
        #expect(changed.mute(at: .earliest) == state.mute(at: .earliest), "seed \(seed)")
        #expect(changed.draft == state.draft && changed.tags == state.tags, "seed \(seed)")
        #expect(changed.sharesReads == state.sharesReads && changed.asksWhenAdded == state.asksWhenAdded)
        #expect(changed.consentsTo == state.consentsTo, "seed \(seed)")
        #expect(state.restamping { _ in nil } == ConversationPreferences(), "seed \(seed)")
        #expect(state.restamping { $0 } == state, "seed \(seed)")
    }

    @Test func `the end of a group takes back that it is kept in the list, and no later word`() throws {
        var laptop = try state(change { $0.archiving = .kept }, at: Self.noon, by: Self.laptop)
        let said = laptop
        // Three milliseconds later, on a device that does not know of the end.
        var phone = said
        let after = Timestamp(clamping: Self.noon.milliseconds + 3)
        try phone.apply(change { $0.archiving = .archived }, at: after, by: Self.phone)
        laptop.takeBackArchiving(by: Self.laptop)
        #expect(laptop.archived == .byItself && laptop.merging(said).archived == .byItself)
        #expect(laptop.merging(phone).archived == .archived)
        var silent = ConversationPreferences()
        silent.takeBackArchiving(by: Self.laptop)
        #expect(silent == ConversationPreferences())
    }

    private func tag(_ text: String) throws -> Tag { try #require(Tag(text)) }

    private func change(_ make: (inout ConversationPreferencesUpdate) throws -> Void) rethrows
        -> ConversationPreferencesUpdate
    {
        var change = ConversationPreferencesUpdate()
        try make(&change)
        return change
    }

    private func state(
        _ change: ConversationPreferencesUpdate, at time: Timestamp = noon, by device: DeviceID
    ) throws -> ConversationPreferences {
        var state = ConversationPreferences()
        try state.apply(change, at: time, by: device)
        return state
    }
}
