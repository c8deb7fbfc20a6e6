import OperationLog

/// What is known of blobs and of who may have them.
extension BlobTransfers {
    /// What is known of a peer that may have a part of a blob.
    struct Holder: Sendable {
        var chunks: ChunkSet
        /// When to ask again what it has; nil where it has all.
        var askAt: Duration?
        /// How often in a row it was asked in vain.
        var failedAttempts = 0
    }

    struct Transfer: Sendable {
        /// Some of those who named it.
        var namers: Set<UserID> = []
        var held: ChunkSet
        /// The chunks that were asked for and have not come.
        var asked: ChunkSet
        var halt: Halt?
        /// How often in a row it could not be written.
        var failures = 0
        var holders: [DeviceID: Holder] = [:]
    }

    struct Piece: Hashable, Sendable {
        let address: BlobAddress
        let index: Int
    }

    /// In whose turn a peer is asked about a blob.
    struct Turn: Hashable {
        let peer: DeviceID
        let namer: UserID?
    }

    struct Request: Sendable {
        let piece: Piece
        let since: Duration
    }

    struct Peer: Sendable {
        /// Whose device it is.
        let user: UserID
        /// The blobs of which it said that it has something that is lacking, in that order, and some of which it has
        /// nothing more to give.
        var offers: [BlobAddress] = []
        var offered: Set<BlobAddress> = []
        var requests: [Request] = []
        /// What it was asked for on this connection and has not sent, also what others were asked for since.
        var granted: Set<Piece> = []
        /// When it last sent a chunk that it was asked for, or was asked after it had sent all.
        var progress = Duration.zero
        /// How often in a row it let a chunk wait.
        var stalls = 0
        /// Whether others may be asked for what it was asked for.
        var isLate = false
        /// Whether it has sent a chunk that it was asked for.
        var hasBrought = false
        /// Not asked for anything before this moment.
        var backoffEnd: Duration?
        /// In whose turn it was asked for a chunk last.
        var lastNamer: UserID?
        /// How many blobs it may still be asked about before ``queriesRenewed``. Only a tick renews that, so that who
        /// names one blob after the other leaves no less to what waits.
        var queriesLeft = BlobTransfers.asksPerSecond
        var queriesRenewed = Duration.zero

        /// Notes that it is asked for a chunk.
        mutating func ask(for piece: Piece, at now: Duration) {
            requests.append(Request(piece: piece, since: now))
            granted.insert(piece)
        }

        mutating func renewQueries(at now: Duration) {
            guard queriesRenewed <= now else { return }
            queriesLeft = BlobTransfers.asksPerSecond
            queriesRenewed = now + .seconds(1)
        }

        /// Gives up what it was asked for of some pieces.
        mutating func drop(where isMeant: (Piece) -> Bool) { requests.removeAll { isMeant($0.piece) } }
    }
}
