import Conversations
import Cryptography
import NodeCore
import OperationLog
import Replication
import Storage
import Time

extension World {
    /// Says that somebody received and read what nobody wrote yet: the liar themselves, and to every peer something
    /// else; a stranger; or, with a signature that is not theirs, somebody honest.
    func falsifyReceipts(_ step: Step, by host: Host) {
        guard let core = host.core, let replica = group(of: step, known: core) else { return }
        let time = host.moment(at: now).wall
        let victim = hosts[step.other % hosts.count]
        let stranger = SigningKey.generate(using: &random)
        let authors = [
            host.keys.author, Author(user: UserID(stranger.verifyingKey), key: stranger),
            Author(user: victim.user, key: host.deviceKey),
        ]
        let author = authors[step.value % authors.count]
        // Nothing comes after the last version: whatever it says stays.
        let version = step.value % 2 == 0 ? .max : UInt64(time.milliseconds) + 60_000
        for (number, side) in host.ends.values.sorted(by: { $0.wire < $1.wire }).enumerated() {
            guard let slot = slots(on: side, of: host)[replica.id] else { continue }
            let marks = hosts.map { other in
                (other.device, ReceiptRecord.Mark(received: 1 << 40, read: UInt64(1 + number + step.value)))
            }
            // Two of one version contradict each other.
            let record = ReceiptRecord(
                by: author, in: replica.id, version: version, time: time,
                marks: Dictionary(uniqueKeysWithValues: marks))
            var bytes = record.encoded
            if author.device.user == victim.user, victim.index != host.index {
                // As their own device's it is none of the group's; as that of the victim's device it is forged.
                bytes.replaceSubrange(32..<64, with: victim.keys.author.device.key.bytes)
            }
            let place = PeerMessage.LaneSlot(slot: slot, lane: .content)
            send(PeerMessage.conversation(place, .receipts(.receipts([bytes], absent: []))).encoded, .live, on: side)
        }
    }
}
