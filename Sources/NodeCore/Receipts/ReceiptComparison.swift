import Conversations
import Cryptography
import OperationLog
import Replication
import Storage
import Time

/// What is known of the receipts that a peer holds of a conversation, on one connection, and what waits for it.
struct ReceiptComparison: Sendable {
    /// A conversation on a connection.
    struct ID: Hashable, Comparable, Sendable {
        let peer: PeerHandle
        let conversation: ConversationID

        static func < (left: ID, right: ID) -> Bool {
            (left.peer, left.conversation) < (right.peer, right.conversation)
        }
    }

    /// How long a difference may be only a receipt on its way: longer than a node waits between two receipts.
    static let grace: Duration = .seconds(3)
    /// How often versions are asked for at most because of what a peer says.
    static let pace: Duration = .seconds(1)
    /// Of a message that was read somebody waits for the sign.
    private static let comparing = Comparison<Digest, HeardReceiptDigest>.Pace(
        tellDelay: .milliseconds(500), grace: grace, longestRest: .seconds(30))
    /// How often devices of one user tell each other while receipts come.
    static let tellInterval: Duration = .seconds(10)
    /// How long after a receipt was sent its receiver may have been gone without anybody noticing.
    static let unnoticedAbsence: Duration = .seconds(5)

    /// Whose connection it is.
    let device: Device
    /// Whether this node dialed: then it asks first.
    let isOutgoing: Bool
    /// Whether both sides have been members since they met.
    var isMet = false
    /// What this device's receipt said of the chains of the peer's user when it was last sent on this connection.
    var sent: [DeviceID: ReceiptRecord.Mark]?
    /// When that was.
    var sentAt: Instant?
    /// Whether receipts went either way since a digest was last told or heard.
    var isUnchecked = false
    /// What both said, and when it is told and asked.
    var comparison = Comparison<Digest, HeardReceiptDigest>(at: ReceiptComparison.comparing)
    /// When it is given the receipts that wait for it.
    var deliverAt: Instant?
    /// When it is offered those of others who are not connected, and is asked to keep this device's own for them.
    var offerAt: Instant?
    /// The receipts of others that it was given, by their devices.
    var given: [DeviceID: Digest] = [:]
    /// How often the peer may make this node do something.
    var budgets = Budgets()

    /// When something is to be done.
    var next: Instant? { [comparison.next, deliverAt, offerAt].compactMap { $0 }.min() }

    /// How often a peer may make this node do something in a conversation.
    struct Budgets: Sendable {
        /// Ask for what the peer names and holds about both.
        var questions = TokenBucket(burst: 1, interval: ReceiptComparison.pace)
        /// Ask for what it names about others.
        var offers = TokenBucket(burst: 1, interval: ReceiptComparison.pace)
        /// Hand on its own receipt at once.
        var relays = TokenBucket(burst: 1, interval: ReceiptPlan.interval)
        /// Give it back a later receipt of its own.
        var returns = TokenBucket(burst: 1, interval: ReceiptPlan.interval)
    }
}

extension ReceiptRecord {
    /// What it says of some chains.
    func marks(about chains: [DeviceID]) -> [DeviceID: Mark] {
        var found: [DeviceID: Mark] = [:]
        for chain in chains { found[chain] = marks[chain] }
        return found
    }

    /// Whether an earlier record said that something was read of which this one does not say so.
    func withdrawsReads(of earlier: ReceiptRecord?) -> Bool {
        earlier?.marks.contains { chain, mark in mark.read > marks[chain]?.read ?? 0 } ?? false
    }

    /// How replicas name the record to each other.
    var receiptVersion: ReceiptVersion { ReceiptVersion(of: device.id, version: version, digest: digest) }
}
