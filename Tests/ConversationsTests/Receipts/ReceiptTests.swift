import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Storage
import Testing
import Time

/// What Alice's replica knows of who got and read what they wrote.
@Suite("Receipts")
struct ReceiptTests {
    private static let noon = Timestamp(clamping: 1_800_000_000_000)

    private static func after(_ minutes: Int64) -> Timestamp {
        Timestamp(clamping: noon.milliseconds + minutes * 60_000)
    }

    /// What a person says of Alice's chain.
    private func record(
        by name: String, in circle: Circle, version: UInt64, received: UInt64, read: UInt64, at time: Timestamp = noon
    ) -> ReceiptRecord {
        ReceiptRecord(
            by: circle.person(name).author, in: circle.log.conversation, version: version, time: time,
            marks: [circle.person("Alice").device: .init(received: received, read: read)])
    }

    private func message(by name: String, in circle: inout Circle) throws -> Operation {
        try #require(try circle.write(content: [.init(type: .message, body: [1])], by: name).last)
    }

    @Test func `the highest version counts, whatever the order of arrival`() throws {
        let circle = try Circle("Alice", "Bob")
        let records = (1...4).map { record(by: "Bob", in: circle, version: $0, received: $0, read: $0 / 2) }
        for seed in 1...20 as ClosedRange<UInt64> {
            var random = SplitMix64(seed: seed)
            var receipts = Receipts(of: circle.person("Alice").device)
            for record in records.shuffled(using: &random) { receipts.take(record, at: Self.noon, written: 200) }
            #expect(receipts[circle.person("Bob").device] == records[3], "seed \(seed)")
        }
    }

    @Test func `of two records of one version all replicas keep the same`() throws {
        let circle = try Circle("Alice", "Bob")
        let one = record(by: "Bob", in: circle, version: 7, received: 3, read: 0)
        let other = record(by: "Bob", in: circle, version: 7, received: 3, read: 3)
        var here = Receipts(of: circle.person("Alice").device)
        var there = here
        for record in [one, other] { here.take(record, at: Self.noon, written: 200) }
        for record in [other, one] { there.take(record, at: Self.noon, written: 200) }
        #expect(here[circle.person("Bob").device] == there[circle.person("Bob").device])
        #expect(one.supersedes(other) != other.supersedes(one))
    }

    @Test func `a record opens with its author's signature for its own conversation only`() throws {
        let circle = try Circle("Alice", "Bob")
        let record = record(by: "Bob", in: circle, version: 1, received: 2, read: 1)
        #expect(try ReceiptRecord(verifying: record.encoded, of: circle.log.conversation) == record)
        let elsewhere = try Circle("Alice", "Bob", seed: 2).log.conversation
        #expect(throws: MalformedBytes.signature(field: "receipt")) {
            try ReceiptRecord(verifying: record.encoded, of: elsewhere)
        }
        var forged = record.encoded
        forged[66] ^= 1
        #expect(throws: MalformedBytes.self) {
            try ReceiptRecord(verifying: forged, of: circle.log.conversation)
        }
    }

    @Test func `a record names as many chains as there may be, and no more`() throws {
        let circle = try Circle("Alice", "Bob")
        func chains(_ count: Int) -> [DeviceID: ReceiptRecord.Mark] {
            Dictionary(
                uniqueKeysWithValues: (0..<count).map { number in
                    (
                        DeviceID(digest: .hash("moot/1/test", Array("\(number)".utf8))),
                        ReceiptRecord.Mark(received: Limits.maximumSequenceNumber, read: 0)
                    )
                })
        }
        let full = ReceiptRecord(
            by: circle.person("Bob").author, in: circle.log.conversation, version: .max, time: .latest,
            marks: chains(ReceiptRecord.maximumChains))
        #expect(full.encoded.count <= ReceiptRecord.maximumBytes)
        #expect(try ReceiptRecord(verifying: full.encoded, of: circle.log.conversation) == full)
    }

    @Test func `a message is pending, then delivered, then read, and by whom and when is known`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        let (bob, carol) = (circle.user("Bob"), circle.user("Carol"))
        let first = try message(by: "Alice", in: &circle)
        let second = try message(by: "Alice", in: &circle)
        var receipts = Receipts(of: circle.person("Alice").device)
        #expect(reached(first, by: receipts, in: &circle).phase == .pending)
        #expect(reached(first, by: receipts, in: &circle).missing == [bob, carol].sorted())

        receipts.take(record(by: "Bob", in: circle, version: 1, received: 2, read: 1), at: Self.after(1), written: 200)
        receipts.take(
            record(by: "Bob", in: circle, version: 2, received: 2, read: 2, at: Self.after(9)), at: Self.after(9),
            written: 200)
        receipts.take(
            record(by: "Carol", in: circle, version: 1, received: 1, read: 0, at: Self.after(5)), at: Self.after(5),
            written: 200)
        let ofFirst = reached(first, by: receipts, in: &circle)
        #expect(ofFirst.phase == .read)
        // That they read the second one later does not change when they read the first.
        #expect(ofFirst.read.map(\.user) == [bob] && ofFirst.read.map(\.time) == [Self.noon])
        #expect(ofFirst.delivered.map(\.user) == [bob, carol])
        #expect(ofFirst.delivered.map(\.time) == [Self.noon, Self.after(5)])
        let ofSecond = reached(second, by: receipts, in: &circle)
        #expect(ofSecond.read.map(\.user) == [bob] && ofSecond.read.map(\.time) == [Self.after(9)])
        #expect(ofSecond.missing == [carol] && ofSecond.recipientCount == 2)

        let hidden = circle.receipts(for: first, by: receipts, showsReads: false)
        #expect(hidden.read.isEmpty && hidden.phase == .delivered)
    }

    @Test func `nobody gets or reads what was not written for them`() throws {
        var circle = try Circle("Alice", "Bob")
        let early = try message(by: "Alice", in: &circle)
        var receipts = Receipts(of: circle.person("Alice").device)
        var random = SplitMix64(seed: 99)
        let dave = Person(using: &random)
        try circle.decide("Alice") { .add(under: $0, targets: [dave.credentials]) }
        receipts.take(
            ReceiptRecord(
                by: dave.author, in: circle.log.conversation, version: 1, time: Self.noon,
                marks: [circle.person("Alice").device: .init(received: 1, read: 1)]), at: Self.noon, written: 200)
        #expect(circle.group.counts(dave.author.device))
        let known = reached(early, by: receipts, in: &circle)
        #expect(known.phase == .pending && known.missing == [circle.user("Bob")])
    }

    @Test func `who was removed says nothing any more, and what they said stays true`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        let bob = circle.person("Bob")
        let message = try message(by: "Alice", in: &circle)
        var receipts = Receipts(of: circle.person("Alice").device)
        receipts.take(record(by: "Bob", in: circle, version: 1, received: 1, read: 1), at: Self.noon, written: 200)
        try circle.decide("Alice") { .remove(under: $0, target: bob.user, pins: []) }
        #expect(!circle.group.counts(bob.author.device))
        let known = reached(message, by: receipts, in: &circle)
        #expect(known.read.map(\.user) == [bob.user] && known.missing == [circle.user("Carol")])
    }

    @Test func `who takes back what they showed is not said to have read it`() throws {
        var circle = try Circle("Alice", "Bob")
        let message = try message(by: "Alice", in: &circle)
        var receipts = Receipts(of: circle.person("Alice").device)
        receipts.take(record(by: "Bob", in: circle, version: 1, received: 1, read: 1), at: Self.noon, written: 200)
        let change = receipts.take(
            record(by: "Bob", in: circle, version: 2, received: 1, read: 0), at: Self.noon, written: 200)
        #expect(change == .ofOwn)
        #expect(reached(message, by: receipts, in: &circle).phase == .delivered)
    }

    @Test func `who boasts of what nobody has written yet has not received it when it is written`() throws {
        var circle = try Circle("Alice", "Bob")
        let first = try message(by: "Alice", in: &circle)
        var receipts = Receipts(of: circle.person("Alice").device)
        let boast = record(
            by: "Bob", in: circle, version: 1, received: Limits.maximumSequenceNumber,
            read: Limits.maximumSequenceNumber)
        receipts.take(boast, at: Self.noon, written: 1)
        let second = try message(by: "Alice", in: &circle)
        #expect(reached(first, by: receipts, in: &circle).phase == .read)
        #expect(reached(second, by: receipts, in: &circle).phase == .pending)
        receipts.take(record(by: "Bob", in: circle, version: 2, received: 2, read: 1), at: Self.noon, written: 2)
        #expect(reached(second, by: receipts, in: &circle).phase == .delivered)
    }

    @Test func `of all devices that somebody ever certified those count that they certify now`() throws {
        var circle = try Circle("Alice", "Bob")
        let bob = circle.person("Bob")
        var random = SplitMix64(seed: 5)
        var last: [Device] = []
        for serial in 2...4 as ClosedRange<UInt64> {
            let others = (0..<3).map { _ in Author(user: bob.user, key: .generate(using: &random)).device }
            let record = IdentityRecord(
                root: bob.root, serial: serial,
                devices: ([bob.author.device] + others).map { .init(device: $0, name: "") })
            try circle.write(by: "Bob", .device(own: Credentials(identity: record, wraps: [])))
            #expect(circle.group.counts(bob.author.device))
            #expect(others.allSatisfy(circle.group.counts))
            #expect(!last.contains(where: circle.group.counts))
            last = others
        }
    }

    @Test func `a clock that is ahead makes nobody read in the future`() throws {
        var circle = try Circle("Alice", "Bob")
        let message = try message(by: "Alice", in: &circle)
        var receipts = Receipts(of: circle.person("Alice").device)
        receipts.take(
            record(by: "Bob", in: circle, version: 1, received: 1, read: 1, at: .latest), at: Self.after(2),
            written: 200)
        #expect(reached(message, by: receipts, in: &circle).read.map(\.time) == [Self.after(2)])
    }

    @Test func `what is remembered of when stays small, and is read back as it was`() throws {
        var circle = try Circle("Alice", "Bob")
        var receipts = Receipts(of: circle.person("Alice").device)
        for number in 1...200 as ClosedRange<UInt64> {
            receipts.take(
                record(
                    by: "Bob", in: circle, version: number, received: number, read: number,
                    at: Self.after(Int64(number))), at: Self.after(300), written: 200)
        }
        let kept = try #require(receipts.kept[circle.person("Bob").device])
        #expect(kept.steps.count == 64)
        let again = try StoredReceipt(record: kept.record, steps: kept.encodedSteps)
        #expect(again == kept)
        let first = try message(by: "Alice", in: &circle)
        // Not when it was read, but not later than that.
        #expect(reached(first, by: receipts, in: &circle).read.map(\.time) == [Self.after(137)])
    }

    private func reached(_ message: Operation, by receipts: Receipts, in circle: inout Circle) -> MessageReceipts {
        circle.receipts(for: message, by: receipts, showsReads: true)
    }
}
