import NodeCore
import Replication

/// The queue between connections and a node: what comes while the node is busy waits, in order; and a connection of
/// which much waits is not read.
///
/// Only where somebody attacks sizes and counts: elsewhere a node has time for everything at once, and plans happen as
/// they always did.
extension World {
    /// Bytes of one connection that may wait, as in the daemon.
    static let inboundQueueBytes = 512 * 1024

    /// What a message costs the node's queue, in microseconds: itself, what it moves, what it writes to the disk and
    /// what it sends.
    private static func cost(of message: [UInt8], transactions: Int, sent: Int) -> Int {
        20 + message.count / 25 + 1_000 * transactions + 20 * sent
    }

    /// Whether a connection is read now.
    func isRead(_ side: Wire.Side, by host: Host) -> Bool {
        guard host.inbox.messages.count > 1 else { return true }
        return host.inbox.messages.reduce(0) { $0 + ($1.side == side ? $1.message.count : 0) } < Self.inboundQueueBytes
    }

    /// A message has come.
    func take(_ message: [UInt8], on side: Wire.Side, _ handle: PeerHandle, by host: Host) {
        guard hasQueues, !host.isLiar else { return deliver(message, on: side, handle, to: host) }
        guard host.inbox.messages.isEmpty, host.inbox.busyUntil <= now else {
            if host.inbox.messages.isEmpty {
                events.add(.work(host: host.index, life: host.life), at: host.inbox.busyUntil)
            }
            return host.inbox.messages.append((handle, side, message))
        }
        process(message, on: side, handle, by: host)
    }

    /// A node has done what it was busy with.
    func work(_ host: Host) {
        guard !host.inbox.messages.isEmpty, !postpone(.work(host: host.index, life: host.life), for: host) else {
            return
        }
        let next = host.inbox.messages.removeFirst()
        if host.ends[next.handle] == next.side { process(next.message, on: next.side, next.handle, by: host) }
        guard !host.inbox.messages.isEmpty else { return }
        events.add(.work(host: host.index, life: host.life), at: max(now, host.inbox.busyUntil))
    }

    private func process(_ message: [UInt8], on side: Wire.Side, _ handle: PeerHandle, by host: Host) {
        let before = (transactions: host.disk.transactions, sent: tally.messages)
        deliver(message, on: side, handle, to: host)
        host.inbox.busyUntil =
            max(now, host.inbox.busyUntil)
            + Self.cost(
                of: message, transactions: host.disk.transactions - before.transactions,
                sent: tally.messages - before.sent)
    }
}
