import OperationLog
import Replication

/// How far the user has read, as their other devices say, where that has not come here yet.
///
/// What comes later counts as read at once. So a device that lies could silence a person for as long as this node runs: what it said is
/// kept by device, and forgotten when it is taken out.
struct AwaitedReadMarks {
    /// Marks that are remembered of one device. What is beyond is passed over, and told again when the two meet.
    static let maximumCount = 1 << 16

    private typealias Marks = [DeviceID: UInt64]
    /// By conversation, then by the device that said so, then by chain.
    private var marks: [ConversationID: [DeviceID: Marks]] = [:]
    /// How many each device said.
    private var counts: [DeviceID: Int] = [:]

    /// Whether another device has read what had not come here.
    func isEmpty(in conversation: ConversationID) -> Bool { marks[conversation] == nil }

    /// Remembers how far another device says the user has read.
    mutating func note(_ told: [PeerMessage.ReadMark], in conversation: ConversationID, saidBy device: DeviceID) {
        for mark in told {
            let known = marks[conversation]?[device]?[mark.device]
            if known == nil {
                guard counts[device, default: 0] < Self.maximumCount else { continue }
                counts[device, default: 0] += 1
            }
            marks[conversation, default: [:]][device, default: [:]][mark.device] = max(known ?? 0, mark.sequenceNumber)
        }
    }

    /// What was read on other devices and is here by now.
    ///
    /// - Parameter held: how far the chain of a device is here.
    func here(in conversation: ConversationID, heldUpTo held: (DeviceID) -> UInt64) -> [DeviceID: UInt64] {
        var read: [DeviceID: UInt64] = [:]
        for (chain, number) in (marks[conversation] ?? [:]).values.joined() {
            let here = held(chain)
            if here > 0 { read[chain] = max(read[chain] ?? 0, min(number, here)) }
        }
        return read
    }

    /// Forgets what is all here; of what has not come yet the rest is remembered.
    mutating func settle(in conversation: ConversationID, heldUpTo held: (DeviceID) -> UInt64) {
        for (device, told) in marks[conversation] ?? [:] {
            replace(told, saidBy: device, in: conversation, with: told.filter { held($0.key) < $0.value })
        }
    }

    /// Forgets a conversation.
    mutating func forget(_ conversation: ConversationID) {
        for (device, told) in marks[conversation] ?? [:] { replace(told, saidBy: device, in: conversation, with: [:]) }
    }

    /// Forgets what a device said that is the user's no more.
    mutating func forget(saidBy device: DeviceID) {
        for conversation in Array(marks.keys) {
            if let told = marks[conversation]?[device] {
                replace(told, saidBy: device, in: conversation, with: [:])
            }
        }
    }

    private mutating func replace(
        _ told: Marks, saidBy device: DeviceID, in conversation: ConversationID, with rest: Marks
    ) {
        marks[conversation]?[device] = rest.isEmpty ? nil : rest
        if marks[conversation]?.isEmpty == true { marks[conversation] = nil }
        let count = counts[device, default: 0] - told.count + rest.count
        counts[device] = count == 0 ? nil : count
    }
}
