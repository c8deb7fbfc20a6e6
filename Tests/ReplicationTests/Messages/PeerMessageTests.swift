import Cryptography
import OperationLog
import OperationLogFixtures
import Testing
import Time

@testable import Replication

@Suite("Messages between peers")
struct PeerMessageTests {
    private static func examples() -> [PeerMessage] {
        var random = SplitMix64(seed: 5)
        func digest() -> Digest { .hash("test", random.bytes(8)) }
        let slot = PeerMessage.LaneSlot(slot: 300, lane: .content)
        let frontier = LaneDigest(bytes: random.bytes(8))
        let devices = [DeviceID(digest: digest()), DeviceID(digest: digest())].sorted()
        let users = [UserID(digest: digest()), UserID(digest: digest())].sorted()
        let tips = [
            ChainTip(sequenceNumber: 3, id: OperationID(digest: digest())),
            ChainTip(sequenceNumber: 70_000, id: OperationID(digest: digest())),
        ]
        let conversation = ConversationID(directBetween: users[0], and: users[1])
        let subjects = [
            PrivateSubject(.conversation, of: conversation), PrivateSubject(.block, of: users[0]),
            PrivateSubject(.verification, of: users[0]),
        ]
        return [
            .people(.hello(replicaEpoch: random.bytes(16), port: 47_470, [1, 2, 3])),
            .sharing(.tags([ConversationTag(conversation, transcript: [7], role: .initiator)])),
            .sharing(.announce(ConversationID(digest: digest()), .group)),
            .sharing(.announce(conversation, .direct(users[0], users[1]))),
            .conversation(slot, .bodies(.wanted(tips.map(\.id).sorted()))),
            .conversation(
                slot, .bodies(.found(tips.map(\.id).sorted().map { PeerMessage.Body(operation: $0, bytes: [1, 2]) }))),
            .lane(slot, .status(frontier)), .statuses(slot: 300, membership: frontier, content: .unlike),
            .lane(
                slot,
                .frontier(
                    isWanted: true, digest: frontier, chainList: frontier, sequenceNumbers: [0, 127, 128, 1 << 40])),
            .lane(
                slot,
                .chains(
                    isWanted: false,
                    ChainPart(after: nil, chains: [.init(device: devices[0], tips: tips)], isLast: true))),
            .lane(
                slot,
                .chains(
                    isWanted: true,
                    ChainPart(after: devices[0], chains: [.init(device: devices[1], tips: tips)], isLast: false))),
            .lane(slot, .chainsRequest),
            .lane(slot, .want([devices[0]: .through(9), devices[1]: .branches(tips.map(\.id).sorted())])),
            .lane(slot, .batch(isAnswer: true, [9, 9, 9])),
            .lane(slot, .batch(isAnswer: false, reached: [0, 0x81], [9, 9, 9])),
            .lane(slot, .done),
            .credit(70_000),
            .presence(.ping(1)),
            .presence(.pong(1 << 60)),
            .people(.addresses([PeerAddress(device: devices[0], address: "192.0.2.1:4000")])),
            .conversation(slot, .blobWanted(tips[0].id)),
            .files(.photoWanted(users[0])),
            .files(.blobHeld(digest(), [1, 2, 3])),
            .files(.chunksWanted(digest(), [0, 127, 128, 1_599])),
            .files(.chunk(digest(), [4, 5, 6])),
            .cards(
                .versions(CardPart(of: users.map { CardVersion(user: $0, version: 300, tie: 1 << 60) }, after: nil))),
            .cards(.versions(CardPart(of: users.map { CardVersion(user: $0, version: 0, tie: 7) }, after: users[0]))),
            .cards(.versions(CardPart(of: [], after: users[1]))),
            .cards(.digest(CardDigest(bytes: random.bytes(16)))),
            .cards(.cards([[1, 2, 3], []])),
            .presence(.unreachable(devices[0])), .people(.parting),
            .people(.tombstones([random.bytes(129), random.bytes(129)])),
            .conversation(slot, .own(.keysWanted(tips.map(\.id).sorted()))),
            .conversation(
                slot, .own(.keys(tips.map(\.id).sorted().map { PeerMessage.Key(epoch: $0, bytes: random.bytes(32)) }))),
            .conversation(
                slot, .own(.readMarks(devices.map { PeerMessage.ReadMark(device: $0, sequenceNumber: 300) }))),
            .conversation(slot, .own(.opened)), .conversation(slot, .own(.retention(days: 1))),
            .conversation(slot, .own(.retention(days: 3_650))),
            .privateState(.digest(PrivateSummary().digest)),
            .privateState(.summary(PrivateSummary())), .privateState(.summary(summary(of: subjects))),
            .privateState(.versions(versions(of: subjects))),
            .privateState(.states([])),
            .privateState(.states(subjects.map { PrivateEntry(of: $0, state: random.bytes(3)) })),
            .presence(.reachabilityWanted(300)),
            .presence(
                .reachability(
                    300,
                    ReachabilityReport(
                        program: "1.2.3", clock: .latest, address: "[fe80::1%eth0]:47470",
                        dialBack: .failed("timed_out"),
                        sendsBeacons: true, ownBeaconAge: .milliseconds(1_500),
                        beacon: .init(address: "10.0.0.7:47470", age: .seconds(70)),
                        failedDials: [.init(address: "10.0.0.7:47470", code: "refused")]))),
            .presence(
                .reachability(
                    0,
                    ReachabilityReport(
                        program: "", clock: .earliest, address: "10.0.0.7:0", dialBack: .notTried, sendsBeacons: false,
                        ownBeaconAge: nil, beacon: nil, failedDials: []))),
        ]
    }

    private static func summary(of subjects: [PrivateSubject]) -> PrivateSummary {
        var summary = PrivateSummary()
        for (bucket, subjects) in Dictionary(grouping: subjects, by: \.bucket) {
            summary.replace(bucket, with: subjects.sorted().map { PrivateVersion(of: $0, digest: 7) })
        }
        return summary
    }

    private static func versions(of subjects: [PrivateSubject]) -> PrivateVersions {
        let held = Dictionary(grouping: subjects, by: \.bucket)
            .map { (bucket: $0, versions: $1.map { PrivateVersion(of: $0, digest: 9) }) }
        let parts = PrivateVersions.parts(of: held)
        precondition(parts.count == 1, "a few fit one part")
        return parts[0]
    }

    @Test(arguments: examples())
    func `are read as they were written`(message: PeerMessage) throws {
        #expect(try PeerMessage(decoding: message.encoded) == message)
    }

    @Test(arguments: examples())
    func `are refused when cut anywhere`(message: PeerMessage) {
        let encoded = message.encoded
        for length in 0..<encoded.count {
            if case .lane(_, .batch) = message, length >= 4 { continue }
            if case .files(.chunk) = message, length >= 33 { continue }
            #expect(throws: MalformedBytes.self) { try PeerMessage(decoding: Array(encoded.prefix(length))) }
        }
    }

    @Test(arguments: examples())
    func `are refused with a byte too many`(message: PeerMessage) {
        if case .lane(_, .batch) = message { return }
        if case .files(.chunk) = message { return }
        #expect(throws: MalformedBytes.trailing(count: 1)) { try PeerMessage(decoding: message.encoded + [0]) }
    }

    @Test
    func `that claim a long list are refused before room is made for it`() {
        // Kind 14 with 2⁶³ addresses, kind 2 with 4,097 tags.
        let huge: [UInt8] = [14] + Array(repeating: 0xFF, count: 9) + [0x01]
        #expect(throws: MalformedBytes.self) { try PeerMessage(decoding: huge) }
        #expect(throws: MalformedBytes.tooLong(field: "tags", limit: 4_096)) {
            try PeerMessage(decoding: [2, 0x81, 0x20] + Array(repeating: 0, count: 8 * 4_097))
        }
    }

    @Test
    func `name a direct conversation only by its own users`() throws {
        guard case .sharing(.announce(_, let root)) = Self.examples()[3] else { return }
        let lie = PeerMessage.sharing(.announce(ConversationID(digest: .hash("another")), root))
        #expect(throws: MalformedBytes.invalid(field: "direct conversation")) { try PeerMessage(decoding: lie.encoded) }
    }
}
