import Blobs
import Cryptography
import OperationLog
import OperationLogFixtures
import Replication

extension Example {
    static var peerMessages: [Example] {
        let lane = PeerMessage.LaneSlot(slot: 200, lane: .content)
        let alice = Cast.alice.user
        let bob = Cast.bob.user
        let direct = ConversationID(directBetween: alice, and: bob)
        let tag = ConversationTag(Cast.conversation, transcript: [1], role: .initiator)
        let tips = [ChainTip(sequenceNumber: 3, id: ids(2)[0]), ChainTip(sequenceNumber: 3, id: ids(2)[1])]
        let devices = [Cast.alice.device, Cast.bob.device].sorted()
        let frontier = Frontier(devices.flatMap { device in tips.map { (device, $0) } })
        let digest = LaneDigest(of: Stage.ready.log.membershipFrontier.digest, transcript: [1])
        let valid: [(String, PeerMessage)] = [
            ("hello", .people(.hello(replicaEpoch: Array(0..<16), port: 47_470, [1, 2, 3]))),
            ("tags", .sharing(.tags([tag, tag]))),
            ("announce-a-group", .sharing(.announce(Cast.conversation, .group))),
            ("announce-a-direct-conversation", .sharing(.announce(direct, .direct(min(alice, bob), max(alice, bob))))),
            ("status", .lane(lane, .status(digest))),
            ("statuses", .statuses(slot: 200, membership: digest, content: digest)),
            (
                "frontier",
                .lane(
                    lane, .frontier(isWanted: true, digest: digest, chainList: digest, sequenceNumbers: [0, 1, .max]))
            ),
            ("chains", .lane(lane, .chains(isWanted: false, ChainPart(of: frontier, after: nil)))),
            ("chains-after-others", .lane(lane, .chains(isWanted: true, ChainPart(of: frontier, after: devices[0])))),
            ("chains-request", .lane(lane, .chainsRequest)),
            ("want", .lane(lane, .want([Cast.alice.device: .through(7), Cast.bob.device: .branches(ids(2))]))),
            ("batch", .lane(lane, .batch(isAnswer: true, [1, 2, 3]))),
            ("done", .lane(lane, .done)),
            ("credit", .credit(1 << 20)),
            ("ping", .presence(.ping(.max))),
            ("pong", .presence(.pong(0))),
            ("bodies-wanted", .conversation(lane, .bodies(.wanted(ids(2).sorted())))),
            (
                "bodies",
                .conversation(
                    lane, .bodies(.found(ids(2).sorted().map { PeerMessage.Body(operation: $0, bytes: [4, 5]) })))
            ),
            (
                "proof",
                .sharing(
                    .proof(
                        ConversationTag(Cast.conversation, transcript: [1], role: .initiator), Cast.creation.id,
                        InviteProof(
                            of: Cast.creation.id, to: Cast.conversation, for: Cast.bob.user, signedWith: Cast.alice.root
                        )))
            ),
            ("refusal", .sharing(.refusal(Cast.creation.id, .canceled))),
            ("typing", .conversation(lane, .typing([6, 7]))),
            ("blob-wanted", .conversation(lane, .blobWanted(ids(1)[0]))),
            ("photo-wanted", .files(.photoWanted(Cast.alice.user))),
            ("blob-held", .files(.blobHeld(blob.address.root, [7]))),
            ("chunks-wanted", .files(.chunksWanted(blob.address.root, [0, 1_599, 2]))),
            ("chunk", .files(.chunk(blob.address.root, blob.chunks[2].encoded))),
            ("unreachable", .presence(.unreachable(Cast.alice.device))),
            ("parting", .people(.parting)),
            ("keys-wanted", .conversation(lane, .own(.keysWanted(ids(2).sorted())))),
            (
                "keys",
                .conversation(
                    lane,
                    .own(
                        .keys(ids(2).sorted().map { PeerMessage.Key(epoch: $0, bytes: Array(repeating: 5, count: 32)) })
                    ))
            ),
            (
                "tombstones",
                .people(
                    .tombstones([Tombstone(root: Cast.alice.root, device: Cast.bob.device, kind: .retired).encoded]))
            ),
            (
                "read-marks",
                .conversation(
                    lane, .own(.readMarks(devices.map { PeerMessage.ReadMark(device: $0, sequenceNumber: 300) })))
            ),
            ("opened", .conversation(lane, .own(.opened))),
            ("retention", .conversation(lane, .own(.retention(days: 3_650)))),
            ("addresses", .people(.addresses([PeerAddress(device: Cast.alice.device, address: "10.0.0.7:47470")]))),
        ]
        let root = blob.address.root.bytes
        let person = wire { $0.write(Cast.alice.device) }
        let version = { (device: DeviceID) in
            ReceiptVersion(of: device, version: 1_800_000_000_000, digest: .hash("moot/1/test", [1]))
        }
        return valid.map { accepted(.peerMessage, $0, $1.encoded) } + reachabilityMessages + privateMessages + [
            refused(.peerMessage, "truncated", "nothing", []),
            refused(.peerMessage, "invalid_value", "kind-0", [0]),
            refused(.peerMessage, "invalid_value", "no-tombstones", [38, 0]),
            refused(.peerMessage, "truncated", "statuses-with-one-digest", [4, 0, 2] + Array(repeating: 0, count: 8)),
            refused(.peerMessage, "invalid_value", "status-of-lane-3", [4, 0, 3] + Array(repeating: 0, count: 8)),
            refused(.peerMessage, "too_long", "257-tombstones", [38, 0x81, 2]),
            refused(.peerMessage, "truncated", "256-tombstones-that-are-not-there", [38, 0x80, 2]),
            accepted(.peerMessage, "receipt-digest", [17, 0, 1] + Array(repeating: 7, count: 8)),
            accepted(
                .peerMessage, "receipt-versions",
                PeerMessage.conversation(
                    lane, .receipts(.versions([Cast.alice.device, Cast.bob.device].sorted().map(version)))
                ).encoded),
            accepted(
                .peerMessage, "receipts",
                PeerMessage.conversation(lane, .receipts(.receipts([[1, 2], []], absent: []))).encoded),
            accepted(
                .peerMessage, "receipts-for-somebody-away",
                PeerMessage.conversation(
                    lane, .receipts(.receipts([[1, 2]], absent: [Cast.alice.device, Cast.bob.device].sorted()))
                ).encoded),
            refused(
                .peerMessage, "unsorted", "away-twice",
                PeerMessage.conversation(
                    lane, .receipts(.receipts([[1, 2]], absent: [Cast.bob.device, Cast.bob.device]))
                ).encoded),
            refused(.peerMessage, "too_long", "257-keys-wanted", [33, 0, 1, 0x81, 0x02]),
            refused(.peerMessage, "too_long", "257-keys", [34, 0, 1, 0x81, 0x02]),
            refused(.peerMessage, "truncated", "256-keys-that-are-not-there", [34, 0, 1, 0x80, 0x02]),
            refused(.peerMessage, "too_long", "4097-read-marks", [35, 0, 1, 0x81, 0x20]),
            refused(
                .peerMessage, "invalid_value", "nothing-was-read",
                [35, 0, 1, 1] + wire { $0.write(Cast.alice.device) } + [0]),
            refused(.peerMessage, "too_long", "2049-devices-away", [19, 0, 1, 0, 0x81, 0x10]),
            refused(
                .peerMessage, "unsorted", "the-same-receipt-twice",
                PeerMessage.conversation(
                    lane, .receipts(.versions([version(Cast.alice.device), version(Cast.alice.device)]))
                ).encoded),
            refused(.peerMessage, "truncated", "4096-receipt-versions-that-are-not-there", [18, 0, 1, 0x80, 0x20]),
            refused(.peerMessage, "too_long", "513-receipts", [19, 0, 1, 0x81, 4]),
            refused(.peerMessage, "too_long", "receipt-above-the-limit", [19, 0, 1, 1, 0x81, 0x80, 0x10]),
            refused(.peerMessage, "invalid_value", "kind-45", [45]),
            refused(.peerMessage, "too_long", "201-bytes-of-chunks", [24] + root + [0xC9, 1]),
            refused(.peerMessage, "invalid_value", "no-chunks-wanted", [25] + root + [0]),
            refused(.peerMessage, "too_long", "65-chunks-wanted", [25] + root + [65]),
            refused(.peerMessage, "truncated", "64-chunks-wanted-that-are-not-there", [25] + root + [64]),
            refused(.peerMessage, "too_long", "chunk-1600-wanted", [25] + root + [1, 0xC0, 0x0C]),
            refused(
                .peerMessage, "too_long", "chunk-above-the-limit",
                [26] + root + Array(repeating: 0, count: BlobChunk.maximumBytes + 1)),
            refused(.peerMessage, "invalid_value", "refusal-2", [22] + Array(repeating: 0, count: 32) + [2]),
            refused(.peerMessage, "invalid_value", "typing-in-the-membership-lane", [20, 0, 0]),
            refused(
                .peerMessage, "too_long", "typing-above-the-limit",
                [20, 0, 1] + Array(repeating: 0, count: PeerMessage.maximumTypingBytes + 1)),
            refused(.peerMessage, "trailing_bytes", "ping-and-a-zero", [12, 1, 0]),
            refused(.peerMessage, "non_canonical_number", "ping-in-two-bytes", [12, 0x81, 0]),
            refused(.peerMessage, "too_long", "port-65536", [1] + Array(0..<16) + [0x80, 0x80, 4]),
            refused(.peerMessage, "too_long", "4097-tags", [2, 0x81, 0x20]),
            refused(.peerMessage, "truncated", "4096-tags-that-are-not-there", [2, 0x80, 0x20]),
            refused(
                .peerMessage, "invalid_value", "root-2",
                wire {
                    $0.write(byte: 3)
                    $0.write(direct)
                } + [2]),
            refused(
                .peerMessage, "invalid_value", "direct-conversation-in-disorder",
                PeerMessage.sharing(.announce(direct, .direct(max(alice, bob), min(alice, bob)))).encoded),
            refused(
                .peerMessage, "invalid_value", "direct-conversation-of-others",
                PeerMessage.sharing(.announce(Cast.conversation, .direct(min(alice, bob), max(alice, bob)))).encoded),
            refused(.peerMessage, "too_long", "slot-above-the-limit", [7, 0x81, 0x80, 0x40, 0]),
            refused(.peerMessage, "invalid_value", "lane-2", [7, 0, 2]),
            refused(.peerMessage, "invalid_value", "flag-2", [9, 0, 1, 2]),
            refused(
                .peerMessage, "invalid_value", "chain-without-tips",
                [6, 0, 0, 0, 0, 1, 1] + person + Array(repeating: 0, count: 34)),
            refused(
                .peerMessage, "unsorted", "tips-in-disorder",
                [6, 0, 0, 0, 0, 1, 1] + person + [2, 4] + Array(repeating: 1, count: 32) + [3]
                    + Array(repeating: 1, count: 32)),
            refused(.peerMessage, "invalid_value", "chains-of-nobody-before-others", [6, 0, 0, 0, 0, 0, 0]),
            refused(
                .peerMessage, "unsorted", "chain-that-the-part-before-had",
                [6, 0, 0, 0, 1] + person + [1, 1] + person + [1, 3] + Array(repeating: 1, count: 32)),
            refused(.peerMessage, "too_long", "4097-chains", [6, 0, 0, 0, 0, 1, 0x81, 0x20]),
            refused(.peerMessage, "too_long", "4097-wants", [8, 0, 0, 0x81, 0x20]),
            refused(
                .peerMessage, "too_long", "65537-branches-wanted", [8, 0, 0, 1] + person + [1, 0x81, 0x80, 4]),
            refused(
                .peerMessage, "unsorted", "the-same-chain-twice",
                [8, 0, 0, 2] + person + [0, 1] + person + [0, 1]),
            refused(.peerMessage, "truncated", "4096-chains-that-are-not-there", [6, 0, 0, 0, 0, 1, 0x80, 0x20]),
            refused(.peerMessage, "truncated", "4096-wants-that-are-not-there", [8, 0, 0, 0x80, 0x20]),
            refused(.peerMessage, "invalid_value", "known-chain-2", [8, 0, 0, 1] + person + [2, 0]),
            refused(.peerMessage, "too_long", "credit-above-the-limit", [11, 0x81, 0x80, 0x80, 2]),
            refused(.peerMessage, "too_long", "65-addresses", [14, 65]),
            refused(.peerMessage, "too_long", "address-of-65-bytes", [14, 1] + person + [65]),
            refused(.peerMessage, "invalid_value", "address-that-is-not-utf8", [14, 1] + person + [1, 0xFF]),
        ]
    }
}
