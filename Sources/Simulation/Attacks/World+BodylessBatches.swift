import Conversations
import NodeCore
import OperationLog
import Replication

extension World {
    /// Messages of the largest size under one signature, so many that no message holds them with their bodies.
    private static let stretch = 70
    /// Bodies that fit one message.
    private static let bodiesAtOnce = 60

    /// Writes a stretch between two signatures that is short while its bodies are away, and brings them afterwards;
    /// then asks for all of it, bodies and all.
    func bare(_ step: Step, by host: Host) {
        guard let core = host.core, let replica = group(of: step, known: core), replica.group.isMember(host.user),
            let side = host.ends.values.filter({ slots(on: $0, of: host)[replica.id] != nil })
                .sorted(by: { $0.wire < $1.wire }).first,
            let slot = slots(on: side, of: host)[replica.id]
        else { return }
        let place = PeerMessage.LaneSlot(slot: slot, lane: .content)
        let forge = forge(of: host, in: replica.id)
        // A branch of its own: its node goes on elsewhere.
        var operations: [Operation] = []
        for number in 0..<Self.stretch {
            let body = [UInt8](repeating: UInt8(number), count: Limits.maximumBodyBytes)
            operations.append(
                forge.content(
                    .message, body, after: operations.last?.tip, under: replica.log.membership.heads,
                    isSigned: number == Self.stretch - 1))
        }
        let headers = Batch(lane: .content, operations: operations).withoutBodies { _ in true }.encoded
        send(PeerMessage.lane(place, .batch(isAnswer: false, headers)).encoded, .live, on: side)
        for start in stride(from: 0, to: operations.count, by: Self.bodiesAtOnce) {
            let bodies = operations[start..<min(start + Self.bodiesAtOnce, operations.count)].compactMap { operation in
                operation.body.map { PeerMessage.Body(operation: operation.id, bytes: $0) }
            }
            send(
                PeerMessage.conversation(place, .bodies(.found(bodies.sorted { $0.operation < $1.operation }))).encoded,
                .live, on: side)
        }
        events.add(
            .question(side, PeerMessage.lane(place, .want([host.device: .through(0)])).encoded), at: now + 1_500_000)
    }
}
