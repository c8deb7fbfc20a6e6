import OperationLog
import Replication
import Time

/// One connection to a peer, from dialing or accepting it to its end.
public struct PeerLink: Sendable {
    /// The dialed target, as the directory knows it; nil for an accepted connection.
    public let target: DialTarget?
    /// The other side's address.
    public let endpoint: Endpoint
    /// Where it comes from, as limits count it.
    let source: LinkSource
    /// Where the other side has dialed this node, `host:port` without an interface, the place itself first; empty if it
    /// did not.
    var reachedAt: [String] = []
    /// When it began.
    public let since: Timestamp
    /// The same by the clock that nobody sets.
    package let began: Instant
    /// What both sides of its channel have said to begin with, once proven.
    var transcript: [UInt8]?
    /// Who is there, once proven.
    public internal(set) var identity: PeerIdentity?

    /// Whether the peer has introduced itself: one that closes before, because it refuses this device, is not dialed
    /// again at once.
    var isIntroduced = false

    /// The port on which the peer says that it listens; 0 for none, and before it has introduced itself.
    var listeningPort: UInt16 = 0

    /// Whether this user shares nothing with whoever is there: nothing of them is kept.
    public internal(set) var isStranger = false

    /// When this node last said that it shares nothing with the user there.
    var offeredPartingAt: Instant?

    /// Why this node last said that the user is out of a conversation.
    var expulsions: [ConversationID: [OperationID]] = [:]

    /// The invites by code by which the user may see who is in a conversation, before they join.
    var openedBy: [ConversationID: OperationID] = [:]

    /// The people of whom this node has shown which of their devices were taken out, since both sides knew that they
    /// share something.
    var shownTombstonesOf: Set<UserID> = []

    /// Whether we dialed.
    public var isOutgoing: Bool { target != nil }
}
