import OperationLog
import Time

/// Whom a message of this user reached, and who read it.
public struct MessageReceipts: Hashable, Sendable {
    /// A person and when.
    public struct Entry: Hashable, Sendable {
        /// The person.
        public let user: UserID
        /// When the first of their devices came so far: not later than that.
        public let time: Timestamp
    }

    /// How far a message has come.
    public enum Phase: String, Hashable, Sendable {
        /// Nobody else is known to have it.
        case pending
        /// Somebody has it.
        case delivered
        /// Somebody has read it.
        case read
    }

    /// Who has it, those who read it among them, in the order of time.
    public let delivered: [Entry]
    /// Who has read it, in the order of time.
    public let read: [Entry]
    /// The members of now for whom it was written and who do not have it, ascending.
    public let missing: [UserID]

    /// Nobody was there to get it.
    public static let none = MessageReceipts(delivered: [], read: [], missing: [])

    /// How far it has come.
    public var phase: Phase { read.isEmpty ? delivered.isEmpty ? .pending : .delivered : .read }

    /// How many people it was written for who have it or may still get it.
    public var recipientCount: Int { delivered.count + missing.count }
}

extension Group {
    /// Whom an operation of this replica's device reached, by what it knows.
    ///
    /// What a person's record said while they were a member stays true when they are none any more: it goes on counting
    /// for what was written for them.
    ///
    /// - Parameters:
    ///   - showsReads: whether to say who read it.
    ///   - lane: the lane this group was made of.
    /// - Complexity: O(*d* log *d*) in the devices of its view, besides finding the view.
    public mutating func receipts(
        for operation: Operation, by receipts: Receipts, showsReads: Bool, in lane: MembershipGraph
    ) -> MessageReceipts {
        let moment = moment(at: operation.header.membershipHeads, in: lane)
        var delivered: [UserID: Timestamp] = [:]
        var read: [UserID: Timestamp] = [:]
        for reader in moment?.view.readers ?? [] where reader.user != operation.author.user {
            if let time = receipts.received(operation, by: reader.device) {
                delivered[reader.user] = min(time, delivered[reader.user] ?? time)
            }
            if showsReads, let time = receipts.read(operation, by: reader.device) {
                read[reader.user] = min(time, read[reader.user] ?? time)
            }
        }
        let missing = (moment?.roles ?? [:]).keys.filter { user in
            user != operation.author.user && delivered[user] == nil && isMember(user)
        }
        return MessageReceipts(
            delivered: Self.sorted(delivered), read: Self.sorted(read), missing: missing.sorted())
    }

    private static func sorted(_ times: [UserID: Timestamp]) -> [MessageReceipts.Entry] {
        times.map { MessageReceipts.Entry(user: $0.key, time: $0.value) }
            .sorted { ($0.time, $0.user) < ($1.time, $1.user) }
    }

    /// Whether a device's record counts: its user is a member now, and their identity record that counts in the lane
    /// names the device. Of all that they ever certified that is a few, so nobody makes the others keep receipts
    /// without end.
    public func counts(_ device: Device) -> Bool {
        isMember(device.user) && certifies(device)
    }

    /// The devices of a member whose records count, ascending; none of somebody who is no member.
    public func countingDevices(of user: UserID) -> [DeviceID] {
        isMember(user) ? certifiedDevices(of: user).sorted() : []
    }
}
