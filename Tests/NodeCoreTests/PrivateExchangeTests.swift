import Conversations
import Cryptography
import OperationLog
import Storage
import Testing
import Time

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// Alice has a desk and a laptop, both linked; Bob and Carol share a group with them.
@Suite("Private state on several devices")
struct PrivateExchangeTests {
    private typealias Tag = Conversations.Tag

    private var house: Household
    private let group: ConversationID
    private let laptop: Int
    private let desk = Household.desk

    init() throws {
        var house = try Household()
        house.connect(Household.desk, Household.bob)
        house.run(for: .seconds(1))
        let others = [house.cores[Household.bob].me, house.cores[Household.carol].me]
        _ = house.cores[Household.desk].contacts.learn(house.cores[Household.carol].ownCredentials)
        group = try house.cores[Household.desk].createGroup(name: "Ship", members: others, at: house.moment)
        laptop = try house.link(to: Household.desk)
        house.connect(laptop, Household.desk)
        house.run()
        self.house = house
    }

    private static func change(_ make: (inout ConversationPreferencesUpdate) -> Void) -> ConversationPreferencesUpdate {
        var change = ConversationPreferencesUpdate()
        make(&change)
        return change
    }

    private mutating func change(
        _ core: Int, _ conversation: ConversationID? = nil, _ make: (inout ConversationPreferencesUpdate) -> Void
    ) throws {
        try house.cores[core].change(Self.change(make), of: conversation ?? group, at: house.moment)
    }

    private func state(_ core: Int, of conversation: ConversationID? = nil) -> ConversationPreferences {
        house.cores[core].preferences(of: conversation ?? group)
    }

    private mutating func digests() -> [PrivateDigest] {
        [desk, laptop].map { house.cores[$0].context.privateState.digest() }
    }

    private mutating func expectEqual(sourceLocation: SourceLocation = #_sourceLocation) {
        let digests = digests()
        #expect(digests[0] == digests[1], sourceLocation: sourceLocation)
    }

    /// The messages about private state that were sent since that was last forgotten.
    private var privateMessages: [[UInt8]] { house.sent.map(\.bytes).filter { (39...42).contains($0.first ?? 0) } }

    /// The desk as the laptop knows it.
    private func link(from core: Int, to other: Int) throws -> PeerHandle {
        try #require(house.cores[core].links.handle(of: house.cores[other].device.id))
    }

    private static func conversation(_ number: Int) -> ConversationID {
        ConversationID(digest: .hash("moot/1/test", Array("conversation \(number)".utf8)))
    }

    /// Keeps something about so many conversations that are nowhere here.
    private mutating func fill(_ count: Int, at core: Int) throws {
        house.cores[core].moment = house.moment
        for number in 0..<count {
            try house.cores[core].keep(Self.change { $0.pinned = true }, of: Self.conversation(number))
        }
    }

    // MARK: - Travelling

    @Test
    mutating func `what Alice keeps about a conversation on one device is kept on the other within a second`() throws {
        let tag = try #require(Tag("work"))
        try change(desk) {
            $0.pinned = true
            $0.muting = .on(Mute(until: nil, allowsMentions: true))
            $0.addedTags = [tag]
            $0.draft = "Ahoy"
            $0.sharesReads = false
        }
        house.run(for: .seconds(1))
        #expect(state(laptop) == state(desk))
        #expect(state(laptop).isPinned && state(laptop).draft == "Ahoy" && state(laptop).tags == [tag])
        #expect(!house.cores[laptop].sharesReads(in: group))
        try change(laptop) { $0.archiving = .archived }
        house.run(for: .seconds(1))
        let replica = try #require(house.cores[desk].replicas[group])
        #expect(house.cores[desk].isArchived(replica))
        #expect(
            house.shown.contains { entry in
                if entry.core == desk, case .conversation(group) = entry.event { true } else { false }
            })
        expectEqual()
    }

    @Test mutating func `devices that were apart keep what each of them changed`() throws {
        house.disconnect(laptop)
        try change(desk) {
            $0.pinned = true
            $0.draft = "from the desk"
        }
        house.run(for: .seconds(1))
        try change(laptop) {
            $0.muting = .on(Mute(until: nil))
            $0.draft = "from the laptop"
        }
        house.connect(desk, laptop)
        house.run()
        for core in [desk, laptop] {
            #expect(state(core).isPinned && state(core).mute(at: .earliest) != nil)
            #expect(state(core).draft == "from the laptop")
        }
        expectEqual()
    }

    @Test mutating func `what is kept about everything travels, too`() throws {
        try house.cores[desk].setSharesReads(false, at: house.moment)
        try house.cores[desk].setAsksWhenAdded(true, at: house.moment)
        house.run(for: .seconds(1))
        #expect(!house.cores[laptop].sharesReads && house.cores[laptop].asksWhenAdded)
        // The group was theirs before, so nothing there asks now.
        let replica = try #require(house.cores[laptop].replicas[group])
        #expect(!house.cores[laptop].awaitsConsent(replica))
    }

    @Test mutating func `a group accepted on one device is accepted on the other`() throws {
        try house.cores[desk].setAsksWhenAdded(true, at: house.moment)
        house.run(for: .seconds(1))
        let (alice, carol) = (house.cores[desk].me, house.cores[Household.carol].me)
        let boat = try house.cores[Household.bob].createGroup(
            name: "Boat", members: [alice, carol], at: house.moment)
        house.run()
        for core in [desk, laptop] {
            let replica = try #require(house.cores[core].replicas[boat])
            #expect(house.cores[core].awaitsConsent(replica))
        }
        try house.cores[laptop].acceptInvite(to: boat, at: house.moment)
        house.run(for: .seconds(1))
        let replica = try #require(house.cores[desk].replicas[boat])
        #expect(!house.cores[desk].awaitsConsent(replica))
    }

    @Test mutating func `whom Alice blocks or verifies on one device is blocked or verified on the other`() throws {
        let (bob, carol) = (house.cores[Household.bob].me, house.cores[Household.carol].me)
        try house.cores[desk].setBlocked(true, of: bob, at: house.moment)
        try house.cores[laptop].setVerified(true, of: carol, at: house.moment)
        house.run(for: .seconds(1))
        for core in [desk, laptop] {
            #expect(house.cores[core].isBlocked(bob) && house.cores[core].contacts[carol].isVerified)
        }
        try house.cores[laptop].setBlocked(false, of: bob, at: house.moment)
        try house.cores[desk].setVerified(false, of: carol, at: house.moment)
        house.run(for: .seconds(1))
        for core in [desk, laptop] {
            #expect(!house.cores[core].isBlocked(bob) && !house.cores[core].contacts[carol].isVerified)
        }
        expectEqual()
    }

    @Test mutating func `a state outlives that its conversation is not there yet, and a start`() throws {
        let direct = try house.cores[desk].openDirect(with: house.cores[Household.bob].me, at: house.moment)
        try change(desk, direct) { $0.draft = "Dear Bob" }
        house.run(for: .seconds(1))
        try #require(house.cores[laptop].replicas[direct] == nil)
        #expect(state(laptop, of: direct).draft == "Dear Bob")
        house.disconnect(laptop)
        house.cores[laptop] = try restarted(laptop)
        #expect(state(laptop, of: direct).draft == "Dear Bob")
        house.connect(laptop, desk)
        house.run()
        #expect(state(desk, of: direct).draft == "Dear Bob")
        expectEqual()
    }

    private func restarted(_ core: Int) throws -> NodeCore {
        try NodeCore(
            keys: house.cores[core].keys, storage: house.disks[core], blobs: house.disks[core], names: [],
            deviceName: "", staticPeers: [], random: SeededRandom(seed: 5), at: house.moment)
    }

    @Test mutating func `what the desk learns it passes on to a device that only it reaches`() throws {
        let tablet = try house.link(to: desk)
        house.connect(tablet, desk)
        house.run()
        try change(laptop) { $0.draft = "for all" }
        house.run(for: .seconds(1))
        #expect(state(tablet).draft == "for all")
    }

    @Test mutating func `what could not be stored comes again`() throws {
        house.disks[laptop].condition = .full
        try change(desk) { $0.pinned = true }
        house.run(for: .seconds(1))
        #expect(!state(laptop).isPinned)
        house.disks[laptop].condition = .healthy
        house.run(for: .seconds(20))
        #expect(state(laptop).isPinned)
    }

    @Test mutating func `who was verified while no other device was there is verified on all of them`() throws {
        let bob = house.cores[Household.bob].me
        house.disconnect(desk)
        house.cores[desk].moment = house.moment
        try house.cores[desk].mark(bob, isVerified: true)
        house.cores[desk] = try restarted(desk)
        #expect(house.cores[desk].contacts[bob].isVerified)
        house.connect(desk, laptop)
        house.run()
        #expect(house.cores[laptop].contacts[bob].isVerified)
    }

    @Test mutating func `a person whom only the other device knows is nobody known here`() throws {
        let stranger = UserID(digest: .hash("moot/1/test", [9]))
        house.cores[desk].moment = house.moment
        try house.cores[desk].mark(stranger, isVerified: true)
        house.run(for: .seconds(1))
        #expect(house.cores[laptop].contacts[stranger].isVerified && !house.cores[laptop].contacts.knows(stranger))
    }

    @Test mutating func `what Alice erased on one device does not come back there`() throws {
        try change(desk) { $0.draft = "secret" }
        house.run(for: .seconds(1))
        try house.cores[desk].leave(group, successor: house.cores[Household.bob].me, at: house.moment)
        house.run()
        try house.cores[desk].erase(group, at: house.moment)
        house.run(for: .seconds(60))
        #expect(state(desk).draft == nil && house.disks[desk].image.preferences[group] == nil)
    }

    // MARK: - What it costs

    @Test mutating func `a thousand states that are equal cost two digests`() throws {
        try fill(1_000, at: desk)
        house.run()
        expectEqual()
        house.disconnect(laptop)
        house.sent = []
        house.connect(laptop, desk)
        house.run(for: .seconds(60))
        #expect(privateMessages.map(\.count) == [17, 17])
    }

    @Test mutating func `of a thousand states one that differs costs what differs`() throws {
        try fill(1_000, at: desk)
        house.run()
        house.disconnect(laptop)
        try change(desk) { $0.draft = "only this" }
        house.sent = []
        house.connect(laptop, desk)
        house.run(for: .seconds(60))
        #expect(state(laptop).draft == "only this")
        expectEqual()
        let bytes = privateMessages.reduce(0) { $0 + $1.count }
        #expect(bytes < 4_096, "\(bytes) bytes")
    }

    @Test mutating func `a change costs its state, once for each device, and the digests that say it came`() throws {
        try fill(1_000, at: desk)
        house.run()
        house.sent = []
        try change(desk) { $0.pinned = true }
        house.run(for: .seconds(60))
        #expect(privateMessages.map { $0.first ?? 0 } == [42, 39, 39])
        #expect(privateMessages.reduce(0) { $0 + $1.count } < 200)
    }

    // MARK: - What may not be

    @Test mutating func `anybody else who speaks of private state is sent away`() throws {
        for word in [PrivateMessage.digest(PrivateSummary().digest), .summary(PrivateSummary()), .states([])] {
            let peer = try link(from: desk, to: Household.bob)
            house.cores[desk].handle(
                .received(ReceivedMessage(decoding: PeerMessage.privateState(word).encoded), on: peer),
                at: house.moment)
            #expect(house.cores[desk].links[peer] == nil)
            house = try Self().house
        }
    }

    @Test mutating func `a write from more than a day ahead is passed over, whatever is with it, and asked for rarely`()
        throws
    {
        house.disconnect(laptop)
        let ahead = Moment(
            monotonic: house.now,
            wall: Timestamp(clamping: house.moment.wall.milliseconds + 86_400_000 + 70 * 60_000))
        try house.cores[laptop].change(Self.change { $0.muting = .on(Mute(until: nil)) }, of: group, at: ahead)
        let direct = ConversationID(directBetween: house.cores[desk].me, and: house.cores[Household.bob].me)
        house.cores[laptop].moment = house.moment
        try house.cores[laptop].keep(Self.change { $0.draft = "in time" }, of: direct)
        house.sent = []
        house.connect(laptop, desk)
        house.run()
        #expect(state(desk).mute(at: .earliest) == nil)
        #expect(state(desk, of: direct).draft == "in time")
        house.run(for: .seconds(1_800))
        let before = privateMessages.count
        house.run(for: .seconds(1_800))
        #expect(privateMessages.count - before <= 20, "\(privateMessages.count - before) messages in half an hour")
        #expect(state(desk).mute(at: .earliest) == nil)
        house.run(for: .seconds(1_800))
        #expect(state(desk).mute(at: .earliest) != nil)
        expectEqual()
    }

    @Test mutating func `a device that lies fills no memory, and stops nothing`() throws {
        let peer = try link(from: desk, to: laptop)
        let liar = house.cores[laptop].device.id
        var draft = ConversationPreferences()
        try draft.apply(
            Self.change { $0.draft = String(repeating: "x", count: ConversationPreferences.maximumDraftBytes) },
            at: house.moment.wall, by: liar)
        let long = draft.encoded
        for number in 0..<2_000 {
            let subject = PrivateSubject(.conversation, of: Self.conversation(number))
            house.cores[desk].takePrivate([PrivateEntry(of: subject, state: long)], from: peer)
        }
        #expect(house.cores[desk].context.privateState.index.byteCount <= PersonalState.maximumBytes)
        #expect(house.cores[desk].context.privateState.conversations.count > 900)
        for entry in [
            PrivateEntry(of: PrivateSubject(.conversation, of: group), state: [7, 7, 7]),
            PrivateEntry(of: PrivateSubject(.init(rawValue: 200), of: group), state: [1]),
            PrivateEntry(of: PrivateSubject(.block, of: house.cores[desk].me), state: [1]),
        ] {
            house.cores[desk].takePrivate([entry], from: peer)
        }
        #expect(house.cores[desk].links[peer] != nil)
        try change(desk) { $0.pinned = true }
        #expect(state(desk).isPinned)
    }

    @Test mutating func `states are counted as well as their bytes`() throws {
        let peer = try link(from: desk, to: laptop)
        let liar = house.cores[laptop].device.id
        var state = ConversationPreferences()
        try state.apply(Self.change { $0.pinned = true }, at: house.moment.wall, by: liar)
        let entries = (0..<PersonalState.maximumCount + 10).map { number in
            PrivateEntry(of: PrivateSubject(.conversation, of: Self.conversation(number)), state: state.encoded)
        }
        house.cores[desk].takePrivate(entries, from: peer)
        #expect(house.cores[desk].context.privateState.index.count == PersonalState.maximumCount)
    }

    @Test mutating func `nobody blocks or verifies themselves through another device`() throws {
        let peer = try link(from: desk, to: laptop)
        let me = house.cores[desk].me
        let marks = PersonMarks().changes(
            marking: me, true, at: house.moment.wall, by: house.cores[laptop].device.id)
        let state = try #require(marks?[me]).encoded
        house.cores[desk].takePrivate([PrivateEntry(of: PrivateSubject(.block, of: me), state: state)], from: peer)
        #expect(!house.cores[desk].isBlocked(me))
    }

    // MARK: - A device that was taken out

    @Test mutating func `what a device wrote that was taken out stays as somebody else's word, and it writes no more`()
        throws
    {
        let (thief, bob) = (house.cores[laptop].device.id, house.cores[Household.bob].me)
        try change(laptop) {
            $0.muting = .on(Mute(until: nil))
            $0.addedTags = [Tag("work")].compactMap(\.self)
        }
        try house.cores[laptop].setVerified(true, of: bob, at: house.moment)
        try house.cores[laptop].setBlocked(true, of: house.cores[Household.carol].me, at: house.moment)
        house.cores[laptop].moment = house.moment
        try house.cores[laptop].keep(Self.change { $0.draft = "junk" }, of: Self.conversation(1))
        house.run(for: .seconds(1))
        try #require(house.cores[desk].contacts[bob].isVerified)

        house.cores[desk].moment = house.moment
        house.cores[desk].restampPrivateState(of: [thief: .revoked])
        #expect(state(desk).mute(at: .earliest) != nil && state(desk).tags.map(\.text) == ["work"])
        #expect(house.cores[desk].isBlocked(house.cores[Household.carol].me))
        #expect(!house.cores[desk].contacts[bob].isVerified)
        #expect(state(desk, of: Self.conversation(1)).draft == nil)
        try change(laptop) { $0.draft = "from the thief" }
        house.run()
        #expect(state(desk).draft == nil)
        // A start keeps it all.
        house.disconnect(desk)
        house.cores[desk] = try restarted(desk)
        house.cores[desk].restampPrivateState(of: [thief: .revoked])
        #expect(state(desk).mute(at: .earliest) != nil && !house.cores[desk].contacts[bob].isVerified)
        let kept = house.cores[desk].context.privateState
        #expect(!kept.blocks.people.values.contains { $0.device == thief })
    }

    @Test mutating func `what a retired device wrote stays, also whom it verified and drafts of what is to come`()
        throws
    {
        let (old, bob, carol) = (
            house.cores[laptop].device.id, house.cores[Household.bob].me, house.cores[Household.carol].me
        )
        try house.cores[laptop].setVerified(true, of: bob, at: house.moment)
        try house.cores[laptop].setVerified(true, of: carol, at: house.moment)
        house.run(for: .seconds(1))
        let before = house.cores[desk].context.privateState.verifications
        try house.cores[laptop].setVerified(false, of: carol, at: house.moment)
        house.cores[laptop].moment = house.moment
        try house.cores[laptop].keep(Self.change { $0.draft = "begun" }, of: Self.conversation(1))
        house.run(for: .seconds(1))

        house.cores[desk].moment = house.moment
        house.cores[desk].restampPrivateState(of: [old: .retired])
        #expect(house.cores[desk].contacts[bob].isVerified)
        #expect(state(desk, of: Self.conversation(1)).draft == "begun")
        var marks = house.cores[desk].context.privateState.verifications
        #expect(!marks.people.values.contains { $0.device == old })
        // A device that was away does not bring back what was taken off.
        marks.apply(marks.changes(merging: before.people))
        #expect(before.contains(carol) && !marks.contains(carol))
    }

    @Test mutating func `blocks that a revoked device took off are forgotten with it`() throws {
        let (thief, carol) = (house.cores[laptop].device.id, house.cores[Household.carol].me)
        for isBlocked in [true, false] {
            try house.cores[laptop].setBlocked(isBlocked, of: carol, at: house.moment)
        }
        house.run(for: .seconds(1))
        #expect(house.cores[desk].context.privateState.blocks.people.count == 1)
        house.cores[desk].moment = house.moment
        house.cores[desk].restampPrivateState(of: [thief: .revoked])
        #expect(house.cores[desk].context.privateState.blocks.people.isEmpty)
    }

    @Test mutating func `two devices that lost a third come to the same, in whatever order they learn of it`() throws {
        let tablet = try house.link(to: desk)
        house.connect(tablet, desk)
        house.run()
        let thief = house.cores[laptop].device.id
        try change(laptop) { $0.muting = .on(Mute(until: nil)) }
        house.run(for: .seconds(1))
        house.disconnect(laptop)
        for core in [desk, tablet] {
            house.cores[core].moment = house.moment
            house.cores[core].restampPrivateState(of: [thief: .revoked])
            house.run()
        }
        #expect(state(desk).mute(at: .earliest) != nil)
        #expect(state(desk) == state(tablet))
        try change(tablet) { $0.muting = .off }
        house.run(for: .seconds(1))
        #expect(state(desk).mute(at: .earliest) == nil)
    }

    // MARK: - Looking, and how long it is kept

    @Test mutating func `what Alice looks at, mutes or puts away on one device settles it on the other`() throws {
        func settled(_ core: Int) -> Bool {
            house.shown.contains { if $0.core == core, case .settled(group) = $0.event { true } else { false } }
        }
        let acts: [(inout PrivateExchangeTests) throws -> Void] = [
            { test in test.house.cores[test.desk].noteOpened(test.group, at: test.house.moment) },
            { test in try test.change(test.desk) { $0.muting = .on(Mute(until: nil)) } },
            { test in try test.change(test.desk) { $0.muting = .off } },
            { test in try test.change(test.desk) { $0.archiving = .archived } },
        ]
        var seen: [Bool] = []
        for act in acts {
            house.shown = []
            try act(&self)
            house.run(for: .seconds(1))
            seen.append(settled(laptop))
        }
        #expect(seen == [true, true, false, true])
    }

    @Test mutating func `a new device keeps a conversation as long as the others, before anything of it comes`() throws
    {
        _ = try house.cores[desk].send(["one"], to: group, at: house.moment)
        try house.cores[desk].keep(group, days: 30, at: house.moment)
        house.run()
        // The laptop had it before: how long it keeps it is its own affair.
        #expect(house.cores[laptop].retentionDays(of: group) == nil)
        let tablet = try house.link(to: desk)
        house.sent = []
        house.connect(tablet, desk)
        house.run()
        #expect(house.cores[tablet].retentionDays(of: group) == 30)
        #expect(try house.texts(of: group, at: tablet) == ["one"])
        let kinds = house.sent.filter { $0.to == tablet && $0.from == desk }.compactMap(\.bytes.first)
        let told = try #require(kinds.firstIndex(of: 44))
        #expect(told < (kinds.firstIndex(of: PeerMessage.batchKind) ?? .max))
        // Another device that keeps it for less is followed, as long as Alice said nothing here.
        try house.cores[laptop].keep(group, days: 7, at: house.moment)
        house.connect(tablet, laptop)
        house.run()
        #expect(house.cores[tablet].retentionDays(of: group) == 7)
        try house.cores[tablet].keep(group, days: 90, at: house.moment)
        house.run()
        #expect(house.cores[tablet].retentionDays(of: group) == 90)
        #expect(house.cores[laptop].retentionDays(of: group) == 7)
    }

    // MARK: - Read marks

    @Test mutating func `what is said to be read before it came is forgotten with the device that said so`() throws {
        let (peer, thief) = (try link(from: desk, to: laptop), house.cores[laptop].device.id)
        let bob = house.cores[Household.bob].device.id
        house.cores[desk].take([.init(device: bob, sequenceNumber: 1 << 50)], of: group, from: peer)
        house.cores[desk].restampPrivateState(of: [thief: .revoked])
        _ = try house.cores[Household.bob].send(["unread"], to: group, at: house.moment)
        house.run(for: .seconds(1))
        #expect(try house.disks[desk].readMarks(in: group)[bob] ?? 0 == 0)
    }

    @Test func `read marks of what never comes are counted`() {
        var marks = AwaitedReadMarks()
        let device = DeviceID(digest: .hash("moot/1/test", [1]))
        let told = (0..<AwaitedReadMarks.maximumCount + 10).map { number in
            PeerMessage.ReadMark(
                device: DeviceID(digest: .hash("moot/1/test", Array("\(number)".utf8))), sequenceNumber: 5)
        }
        marks.note(told, in: group, saidBy: device)
        let chains = marks.chains(in: group)
        #expect(marks.here(in: group, of: chains) { _ in 9 }.count == AwaitedReadMarks.maximumCount)
        marks.settle(in: group, of: chains) { _ in 9 }
        #expect(marks.isEmpty(in: group))
        marks.note(told, in: group, saidBy: device)
        #expect(marks.here(in: group, of: chains) { _ in 3 }.values.allSatisfy { $0 == 3 })
        marks.forget(saidBy: device)
        #expect(marks.isEmpty(in: group))
        marks.note(told, in: group, saidBy: device)
        #expect(marks.chains(in: group).count == AwaitedReadMarks.maximumCount)
    }

    @Test func `of what is read before it came only those chains are looked at of which something has come`() throws {
        var marks = AwaitedReadMarks()
        let ids = (0..<3).map { DeviceID(digest: .hash("moot/1/test", [UInt8($0)])) }
        let (device, chain, other) = (ids[0], ids[1], ids[2])
        marks.note(
            [.init(device: chain, sequenceNumber: 5), .init(device: other, sequenceNumber: 5)], in: group,
            saidBy: device)
        var asked: Set<DeviceID> = []
        let held = { (device: DeviceID) -> UInt64 in
            asked.insert(device)
            return 9
        }
        #expect(marks.here(in: group, of: [chain], heldUpTo: held) == [chain: 5])
        marks.settle(in: group, of: [chain], heldUpTo: held)
        #expect(asked == [chain])
        #expect(marks.chains(in: group) == [other])
    }

    // MARK: - Notes to oneself

    @Test mutating func `notes to oneself are on all devices, also before anybody else is known`() throws {
        var house = try Household()
        let notes = try house.cores[desk].openDirect(with: house.cores[desk].me, at: house.moment)
        _ = try house.cores[desk].send(["remember the milk"], to: notes, at: house.moment)
        let laptop = try house.link(to: desk)
        house.connect(laptop, desk)
        house.run()
        #expect(try house.texts(of: notes, at: laptop) == ["remember the milk"])
        _ = try house.cores[laptop].send(["and bread"], to: notes, at: house.moment)
        house.run()
        #expect(try house.texts(of: notes, at: desk) == ["remember the milk", "and bread"])
        #expect(throws: NodeError.self) {
            try house.cores[desk].change(Self.change { $0.sharesReads = false }, of: notes, at: house.moment)
        }
        // Begun on both while they were apart, it is one.
        house.disconnect(laptop)
        _ = try house.cores[desk].send(["three"], to: notes, at: house.moment)
        _ = try house.cores[laptop].send(["four"], to: notes, at: house.moment)
        house.connect(laptop, desk)
        house.run()
        for core in [desk, laptop] {
            #expect(
                Set(try house.texts(of: notes, at: core)) == ["remember the milk", "and bread", "three", "four"])
        }
    }
}
