import OperationLog
import OperationLogFixtures
import Replication

extension Example {
    /// What two devices of one user say about the user's private state.
    static var privateMessages: [Example] {
        let subjects = [
            PrivateSubject(.conversation, of: Cast.conversation), PrivateSubject(.block, of: Cast.bob.user),
            PrivateSubject(.verification, of: Cast.bob.user),
        ]
        let entries = subjects.map { PrivateEntry(of: $0, state: [1, 2, 3]) }
        var summary = PrivateSummary()
        for (bucket, held) in Dictionary(grouping: entries, by: \.subject.bucket) {
            summary.replace(bucket, with: held.map(PrivateVersion.init(of:)))
        }
        let held = (0..<PrivateSummary.bucketCount).map { bucket in
            (bucket: bucket, versions: entries.filter { $0.subject.bucket == bucket }.map(PrivateVersion.init(of:)))
        }
        let none = Array(repeating: UInt8(0), count: 32)
        let subject = wire {
            $0.write(byte: 0)
            $0.write(Cast.conversation)
        }
        return [
            accepted(.peerMessage, "private-digest", PeerMessage.privateState(.digest(summary.digest)).encoded),
            accepted(.peerMessage, "private-summary", PeerMessage.privateState(.summary(summary)).encoded),
            accepted(.peerMessage, "private-summary-of-nothing", [40] + none),
            refused(.peerMessage, "truncated", "a-bucket-that-is-not-there", [40, 1] + none.dropFirst()),
            accepted(
                .peerMessage, "private-versions",
                PeerMessage.privateState(.versions(PrivateVersions.parts(of: held)[0])).encoded),
            accepted(.peerMessage, "private-versions-of-no-bucket", [41] + none + [0]),
            refused(
                .peerMessage, "invalid_value", "a-state-of-another-bucket",
                [41] + none + [1] + subject + Array(repeating: 0, count: 8)),
            refused(.peerMessage, "too_long", "4097-states-named", [41] + none + [0x81, 0x20]),
            refused(.peerMessage, "truncated", "4096-states-that-are-not-there", [41] + none + [0x80, 0x20]),
            accepted(.peerMessage, "private-states", PeerMessage.privateState(.states(entries)).encoded),
            refused(.peerMessage, "too_long", "1025-states", [42, 0x81, 0x08]),
            refused(
                .peerMessage, "too_long", "a-state-above-the-limit",
                [42, 1] + subject + [0x81, 0x80, 4] + Array(repeating: 0, count: 8)),
            refused(.peerMessage, "unsorted", "the-same-state-twice", [42, 2] + subject + [0] + subject + [0]),
            refused(.peerMessage, "invalid_value", "kept-for-no-day", [44, 0, 1, 0]),
            refused(.peerMessage, "too_long", "kept-for-3651-days", [44, 0, 1, 0xC3, 0x1C]),
        ]
    }
}
