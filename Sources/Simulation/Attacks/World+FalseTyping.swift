import Conversations
import Cryptography
import NodeCore
import OperationLog
import Replication

extension World {
    /// Says that people type who do not: what was heard once again, what nobody said, and more than anybody may.
    func falsifyTyping(_ step: Step, by host: Host) {
        guard let core = host.core else { return }
        let known = conversations.compactMap { core.replicas[$0] }
        guard !known.isEmpty else { return }
        let replica = known[step.conversation % known.count]
        let overheard = checker.typing.made.filter {
            $0.value.conversation == replica.id && $0.value.author != host.index
        }
        .keys.sorted { $0.lexicographicallyPrecedes($1) }
        var signals: [[UInt8]] = []
        switch step.value % 8 {
        case 0...3:
            // A member may have heard all of them, whenever that was.
            if !overheard.isEmpty { signals = [overheard[step.other % overheard.count]] }
        case 4:
            let victim = hosts[step.other % hosts.count]
            // In their own name it would be no lie.
            guard victim.user != host.user else { return }
            signals = made(by: Author(user: victim.user, key: host.deviceKey), in: replica, count: 1)
        case 5:
            if let one = overheard.first { signals = [one.dropLast() + one.suffix(1).map { $0 ^ 1 }] }
        default:
            signals = made(by: host.keys.author, in: replica, count: 5)
            for signal in signals { checker.makes(signal, in: replica.id, by: host) }
        }
        for side in host.ends.values.sorted(by: { $0.wire < $1.wire }) {
            guard let slot = slots(on: side, of: host)[replica.id] else { continue }
            let place = PeerMessage.LaneSlot(slot: slot, lane: .content)
            for signal in signals { send(PeerMessage.conversation(place, .typing(signal)).encoded, .live, on: side) }
        }
    }

    /// Signals under any key the liar holds, one right after the other.
    private func made(by author: Author, in replica: Replica, count: Int) -> [[UInt8]] {
        let keys = replica.epochs.all.values.sorted { $0.id < $1.id }.compactMap { epoch in
            if case .held(let key) = epoch.key { (epoch.id, key) } else { nil }
        }
        guard let (epoch, key) = keys.last else { return [] }
        return (0..<count).map { number in
            TypingSignal(
                by: author, in: replica.id, epoch: epoch, key: key,
                replicaEpoch: Array(repeating: 7, count: TypingSignal.replicaEpochByteCount),
                stamp: TypingSignal.Stamp(written: 1 << 20, counter: UInt64(now + number)), reached: DeliveredReaders(),
                nonce: random.bytes(ExtendedNonceCipher.nonceByteCount)
            ).encoded
        }
    }
}
