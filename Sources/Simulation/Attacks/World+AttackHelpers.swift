import Conversations
import Cryptography
import NodeCore
import OperationLog
import Replication
import Time

/// What all liars need who send what no node would.
extension World {
    /// A liar's forge for a conversation.
    func forge(of host: Host, in conversation: ConversationID) -> OperationForge {
        OperationForge(author: host.keys.author, conversation: conversation, time: host.moment(at: now).wall)
    }

    /// Sends something about a lane on every connection of a liar on which both sides know it.
    func spread(_ message: LaneMessage, about conversation: ConversationID, _ lane: Lane, by host: Host) {
        for side in host.ends.values.sorted(by: { $0.wire < $1.wire }) {
            guard let slot = slots(on: side, of: host)[conversation] else { continue }
            send(PeerMessage.lane(PeerMessage.LaneSlot(slot: slot, lane: lane), message).encoded, .live, on: side)
        }
    }

    /// Pushes operations to everybody, as batches of so many.
    func spread(_ operations: [Operation], _ lane: Lane, of conversation: ConversationID, by host: Host, each: Int) {
        for start in stride(from: 0, to: operations.count, by: each) {
            let part = Array(operations[start..<min(start + each, operations.count)])
            let batch = Batch(lane: lane, operations: part).encoded
            spread(.batch(isAnswer: false, batch), about: conversation, lane, by: host)
        }
    }

    /// Does a step once more, later: the second act of a lie.
    func again(_ step: Step, value: Int? = nil, conversation: Int? = nil, in milliseconds: Int) {
        var later = step
        later.at = now / 1_000 + milliseconds
        later.value = value ?? step.value
        later.conversation = conversation ?? step.conversation
        events.add(.step(later), at: later.at * 1_000)
    }
}
