import NodeCore
import Replication

/// A TCP connection between two hosts: two ends, each with its channel, and a pipe in either direction.
final class Wire {
    /// One end of a connection.
    struct Side: Hashable {
        let wire: Int
        /// 0 for the dialer, 1 for the host that accepted.
        let end: Int

        /// The other end.
        var other: Side { Side(wire: wire, end: 1 - end) }
    }

    /// What travels through a pipe.
    enum Piece {
        case bytes([UInt8])
        /// The sender closed in good order.
        case finish
        /// The connection is gone.
        case reset
    }

    /// One direction of a connection: what is on its way, in order.
    struct Pipe {
        var pieces: [Piece] = []
        var lastArrival = 0
        var byteCount = 0
        /// Until when nothing comes out, although the connection is up.
        var stalledUntil = 0
    }

    /// The state of one end.
    final class End {
        let host: Int
        let life: Int
        /// What the host's core calls the connection; nil for a connection that a liar made without their core.
        let handle: PeerHandle?
        var channel: SecureChannel
        var isEstablished = false
        /// Who is there, if it is none of the hosts.
        var stranger: World.Stranger?
        /// When something came last, in microseconds.
        var heard = 0
        var congestion = Congestion.none

        init(host: Int, life: Int, handle: PeerHandle?, channel: consuming SecureChannel) {
            self.host = host
            self.life = life
            self.handle = handle
            self.channel = channel
        }
    }

    /// Bytes that may be on their way in one direction before the sender has to wait.
    static let window = 64 * 1024

    let id: Int
    /// The dialer and who accepted; nil once the end is gone.
    var ends: [End?]
    /// From the dialer, and to them.
    var pipes = [Pipe(), Pipe()]
    let hosts: [Int]
    /// Who is at either end, if it is none of the hosts; also once the end is gone.
    let strangers: [World.Stranger?]

    init(id: Int, dialer: End, acceptor: End) {
        self.id = id
        ends = [dialer, acceptor]
        hosts = [dialer.host, acceptor.host]
        strangers = [dialer.stranger, acceptor.stranger]
    }
}
