import OperationLog
import Replication

/// How far the user has read, as their other devices say, where that has not come here yet.
///
/// What comes later counts as read at once. So a device that lies could silence a person for as long as this node runs:
/// what it said is kept by device, and forgotten when it is revoked.
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

    /// The chains of a conversation of which other devices have read more than had come here.
    func chains(in conversation: ConversationID) -> Set<DeviceID> {
        (marks[conversation] ?? [:]).values.reduce(into: []) { $0.formUnion($1.keys) }
    }

    /// What was read on other devices and is here by now.
    ///
    /// - Parameters:
    ///   - chains: those of which anything changed.
    ///   - held: how far the chain of a device is here.
    /// - Complexity: O(*n*) in the chains, for each of the user's devices, however much is remembered.
    func here(
        in conversation: ConversationID, of chains: Set<DeviceID>, heldUpTo held: (DeviceID) -> UInt64
    ) -> [DeviceID: UInt64] {
        var read: [DeviceID: UInt64] = [:]
        for told in (marks[conversation] ?? [:]).values {
            for chain in chains {
                guard let number = told[chain], case let here = held(chain), here > 0 else { continue }
                read[chain] = max(read[chain] ?? 0, min(number, here))
            }
        }
        return read
    }

    /// Forgets of some chains what is all here; of what has not come yet the rest is remembered.
    mutating func settle(
        in conversation: ConversationID, of chains: Set<DeviceID>, heldUpTo held: (DeviceID) -> UInt64
    ) {
        for device in (marks[conversation] ?? [:]).keys {
            for chain in chains {
                guard let number = marks[conversation]?[device]?[chain], held(chain) >= number else { continue }
                marks[conversation]?[device]?[chain] = nil
                forgot(1, saidBy: device)
            }
            prune(conversation, saidBy: device)
        }
    }

    /// Forgets a conversation.
    mutating func forget(_ conversation: ConversationID) {
        for (device, told) in marks[conversation] ?? [:] { forgot(told.count, saidBy: device) }
        marks[conversation] = nil
    }

    /// Forgets what a device said that was revoked.
    mutating func forget(saidBy device: DeviceID) {
        counts[device] = nil
        for conversation in Array(marks.keys) {
            marks[conversation]?[device] = [:]
            prune(conversation, saidBy: device)
        }
    }

    private mutating func forgot(_ number: Int, saidBy device: DeviceID) {
        let rest = counts[device, default: 0] - number
        counts[device] = rest == 0 ? nil : rest
    }

    /// Leaves nothing empty behind.
    private mutating func prune(_ conversation: ConversationID, saidBy device: DeviceID) {
        if marks[conversation]?[device]?.isEmpty == true { marks[conversation]?[device] = nil }
        if marks[conversation]?.isEmpty == true { marks[conversation] = nil }
    }
}
