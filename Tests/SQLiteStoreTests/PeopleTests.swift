import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Storage
import Testing
import Time

@testable import SQLiteStore

@Suite("Keeping people, addresses and settings")
struct PeopleTests {
    private func alice() -> Person {
        var random = SplitMix64(seed: 1)
        return Person(using: &random)
    }

    @Test func `what counts for a person is kept in the place of what counted before`() throws {
        let directory = try TemporaryDirectory()
        let store = try directory.open()
        let alice = alice()
        var random = SplitMix64(seed: 2)
        var known = KnownCredentials()
        for serial in [2, 1, 3] as [UInt64] {
            let identity = IdentityRecord(
                root: alice.root, serial: serial, devices: [.init(device: alice.author.device, name: "laptop")])
            let key = AgreementKey.generate(using: &random).publicKey
            let record = WrapRecord(by: alice.author, counter: serial, key: key)
            known.learn(Credentials(identity: identity, wraps: [record]))
            try store.save(try #require(known[alice.user]))
        }
        let kept = try store.credentials()
        #expect(kept == [known[alice.user]])
        #expect(kept.first?.identity.serial == 3)
        #expect(kept.first?.wraps.map(\.counter) == [3])
    }

    @Test func `a deletion stays, whatever is saved before it and after it`() throws {
        let directory = try TemporaryDirectory()
        let store = try directory.open()
        let alice = alice()
        let monday = Timestamp(clamping: 1_700_000_000_000)
        let tuesday = Timestamp(clamping: 1_700_086_400_000)
        let last = ProfileCard(deletionBy: alice.root, identity: alice.credentials.identity)
        let cards = try [1, UInt64.max - 1].map { try #require(alice.card(version: $0, photo: [1])) }
        #expect(try store.save(cards[0], seenAt: monday))
        #expect(try store.save(last, seenAt: monday))
        #expect(try !store.save(cards[1], seenAt: tuesday))
        #expect(try !store.save(last, seenAt: tuesday))
        let seen = try #require(try store.profile(of: alice.user))
        #expect(seen.card == last && seen.seenAt == tuesday)
    }

    @Test func `the newest profile is kept, and when its owner was last seen`() throws {
        let directory = try TemporaryDirectory()
        let store = try directory.open()
        let alice = alice()
        let first = try #require(alice.card(version: 1, photo: [1]))
        let second = try #require(alice.card(version: 2, photo: [2]))
        let monday = Timestamp(clamping: 1_700_000_000_000)
        let tuesday = Timestamp(clamping: 1_700_086_400_000)
        #expect(try store.save(second, seenAt: monday))
        #expect(try !store.save(first, seenAt: tuesday))
        let seen = try #require(try store.profile(of: alice.user))
        #expect(seen.card == second)
        #expect(seen.seenAt == tuesday)
        #expect(try store.profiles() == [seen])
    }

    @Test func `a card that others passed on says nothing of when its owner was seen`() throws {
        let directory = try TemporaryDirectory()
        let store = try directory.open()
        let alice = alice()
        let first = try #require(alice.card(version: 1))
        let second = try #require(alice.card(version: 2))
        let monday = Timestamp(clamping: 1_700_000_000_000)
        try store.save(passedOn: [first])
        #expect(try store.profile(of: alice.user)?.card == first)
        #expect(try store.profile(of: alice.user)?.seenAt == .earliest)
        try store.save(first, seenAt: monday)
        try store.save(passedOn: [second])
        #expect(try store.profile(of: alice.user)?.card == second)
        #expect(try store.profile(of: alice.user)?.seenAt == monday)
    }

    @Test func `addresses that worked come first, and hearsay replaces none of them`() throws {
        let directory = try TemporaryDirectory()
        let store = try directory.open()
        let device = alice().device
        let time = Timestamp(clamping: 1_700_000_000_000)
        try store.note(address: "10.0.0.1:4000", of: device, success: nil)
        try store.note(address: "10.0.0.2:4000", of: device, success: time)
        try store.note(address: "10.0.0.2:4000", of: device, success: nil)
        #expect(try store.addresses().map(\.address) == ["10.0.0.2:4000", "10.0.0.1:4000"])
        #expect(try store.addresses().map(\.lastSuccess) == [time, nil])
        for port in 1...20 { try store.note(address: "10.0.0.3:\(port)", of: device, success: nil) }
        let kept = try store.addresses().map(\.address)
        #expect(kept.count == ReplicaStore.maximumAddresses)
        #expect(kept.first == "10.0.0.2:4000")
        #expect(kept.contains("10.0.0.3:20"))
    }

    @Test func `where a device was met last takes the place of where it was met before, until it is forgotten`() throws
    {
        let directory = try TemporaryDirectory()
        let (first, second) = (alice().device, DeviceID(digest: .hash("moot/1/test", [1])))
        do {
            let store = try directory.open()
            #expect(try store.meetingPlaces().isEmpty)
            try store.note(meetingPlace: "10.0.0.1:4000", of: first)
            try store.note(meetingPlace: "10.0.0.2:4000", of: first)
            try store.note(meetingPlace: "10.0.0.3:4000", of: second)
        }
        let store = try directory.open()
        #expect(try store.meetingPlaces() == [first: "10.0.0.2:4000", second: "10.0.0.3:4000"])
        try store.note(meetingPlace: nil, of: first)
        #expect(try store.meetingPlaces() == [second: "10.0.0.3:4000"])
    }

    @Test func `a mark of a person is stored, replaced and deleted by the name of its row`() throws {
        let directory = try TemporaryDirectory()
        let names = (0..<3).map { Digest.hash("moot/1/test", [$0]) }
        do {
            let store = try directory.open()
            #expect(try store.personMarks().isEmpty)
            try store.save(personMarks: [names[0]: [1], names[1]: [2]], forgetting: [])
            try store.save(personMarks: [names[1]: [3, 3], names[2]: [4]], forgetting: [names[0]])
            try store.close()
        }
        let store = try directory.open()
        #expect(try store.personMarks() == [names[1]: [3, 3], names[2]: [4]])
    }

    @Test func `a setting is kept until it is removed`() throws {
        let directory = try TemporaryDirectory()
        let store = try directory.open()
        #expect(try store.setting("theme") == nil)
        try store.set("theme", to: [1, 2])
        try store.set("theme", to: [])
        #expect(try store.setting("theme") == [])
        try store.set("theme", to: nil)
        #expect(try store.setting("theme") == nil)
    }
}
