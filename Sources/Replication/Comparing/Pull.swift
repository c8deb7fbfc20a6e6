import OperationLog
import Time

/// Whom a lane is asked of now, and what came of it.
///
/// A source keeps its turn for as long as nobody else is to be asked. Otherwise it has to bring something, and soon:
/// see ``Replicator/endOfTurn(of:for:)``.
struct Pull: Sendable {
    /// How long a source may bring nothing while nobody else is to be asked.
    static let progressTimeout: Duration = .seconds(2)
    /// How long a source has at least while somebody else is to be asked, and how long it may then bring nothing.
    static let leastTurn: Duration = Replicator.grace * 5
    /// How long a source has at most while somebody else's pushed batch waits.
    static let turnBeforePushes: Duration = .seconds(1)
    /// How long a source has at most while somebody else holds something else.
    static let turn: Duration = .seconds(10)
    /// How many bytes a second a source has to bring while somebody else is to be asked, to have the longest turn.
    static let fairRate = 1024 * 1024
    /// How many bytes a second it has to bring while somebody else's pushed batch waits.
    static let leastRate = 256 * 1024

    /// Who is asked.
    let peer: PeerHandle
    /// Whose device that is.
    let user: UserID
    /// Since when.
    let since: Instant
    /// When an operation came last that it was asked for.
    var progress: Instant
    /// How many bytes of such operations came.
    private(set) var broughtBytes = 0

    /// Begins to ask a peer.
    init(from peer: PeerHandle, of user: UserID, at now: Instant) {
        (self.peer, self.user) = (peer, user)
        (since, progress) = (now, now)
    }

    /// Whether anything came that it was asked for.
    var hasBrought: Bool { broughtBytes > 0 }

    /// Notes that something came that was lacking.
    mutating func bring(_ bytes: Int, at now: Instant) {
        progress = now
        broughtBytes += bytes
    }

    /// When its turn is over while somebody else is to be asked. A source that brings much has longer.
    var end: Instant { since + min(Self.turn, Self.progressTimeout + .seconds(broughtBytes) / Self.fairRate) }

    /// The same while somebody else's pushed batch waits.
    var endBeforePushes: Instant {
        since + min(Self.turnBeforePushes, Self.leastTurn + .seconds(broughtBytes) / Self.leastRate)
    }
}
