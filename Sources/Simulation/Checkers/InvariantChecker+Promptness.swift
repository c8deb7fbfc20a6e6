import Conversations
import NodeCore
import OperationLog
import Replication
import Time

/// A message on its way from one honest member to another who lacks nothing, or little, that comes before it.
struct Delivery {
    let operation: OperationID
    let conversation: ConversationID
    let sender: Int
    let receiver: Int
    let lives: [Int]
    let side: Wire.Side
    let sentAt: Int
}

/// Live messages arrive soon, whatever liars do meanwhile.
extension InvariantChecker {
    /// How long a message may take, in microseconds.
    private static let promptness = 2_000_000
    /// For how long trouble of the network or a disk excuses what comes after it, in microseconds.
    private static let aftermath = 10_000_000
    /// How many operations before a message a receiver may lack that is to get it all the same, and how long it has
    /// been connected to the author then. The author holds those operations and serves them.
    private static let (basis, acquaintance): (Int, Duration) = (256, .seconds(5))

    /// A node has written something. Each connected node that holds almost all operations before it should have it
    /// soon. A node that lacks many of them has just come, or is busy with what others wrote. A node that lacks a few
    /// lacks what others keep back.
    mutating func expectPrompt(
        _ admitted: [AdmittedOperation], in conversation: ConversationID, by host: Host, _ world: World
    ) {
        guard world.hasQueues, !host.isLiar, !host.wasPutBack, let last = admitted.last?.operation,
            last.header.type == .message, last.author.id == host.device,
            let replica = host.core?.replicas[conversation]
        else { return }
        let written = Set(admitted.map(\.operation.id))
        let basis = admitted.flatMap { $0.operation.header.parents + $0.operation.header.membershipHeads }
            .filter { !written.contains($0) }
        for side in host.ends.values.sorted(by: { $0.wire < $1.wire }) {
            guard let wire = world.wires[side.wire], let own = wire.ends[side.end],
                let other = wire.ends[side.other.end],
                own.isEstablished, other.isEstablished, let handle = other.handle
            else { continue }
            let receiver = world.hosts[wire.hosts[side.other.end]]
            guard !receiver.isLiar, !receiver.wasPutBack, !receiver.lacksRoom(in: conversation),
                let core = receiver.core,
                let theirs = core.replicas[conversation], replica.group.isMember(receiver.user),
                theirs.group.isMember(host.user), theirs.group.isMember(receiver.user),
                core.replicator.slots(for: handle)[conversation] != nil,
                basis.allSatisfy(receiver.acknowledged.contains)
                    || isAcquainted(host, side, world) && lacksLittle(of: basis, receiver, in: conversation, of: host)
            else { continue }
            deliveries.append(
                Delivery(
                    operation: last.id, conversation: conversation, sender: host.index, receiver: receiver.index,
                    lives: [host.life, receiver.life], side: side, sentAt: world.now))
        }
    }

    /// Whether a connection is so old that both sides know what the other one has.
    private func isAcquainted(_ host: Host, _ side: Wire.Side, _ world: World) -> Bool {
        guard let handle = world.wires[side.wire]?.ends[side.end]?.handle, let link = host.core?.links[handle] else {
            return false
        }
        return host.moment(at: world.now).monotonic - link.began >= Self.acquaintance
    }

    /// Whether a host lacks no more than a little of what some operations rest on, as the host of their author holds
    /// it.
    private func lacksLittle(
        of basis: [OperationID], _ receiver: Host, in conversation: ConversationID, of author: Host
    ) -> Bool {
        let image = author.disk.image
        guard let membership = author.core?.replicas[conversation]?.log.membership,
            let content = image.conversations[conversation]?.content
        else { return false }
        var rest = basis.filter { !receiver.acknowledged.contains($0) }
        var lacking = Set(rest)
        while let id = rest.popLast() {
            guard lacking.count <= Self.basis,
                let header = content[id].map({ image.rows[$0].operation.header }) ?? membership[id]?.header
            else { return false }
            for parent in header.parents + header.membershipHeads
            where !receiver.acknowledged.contains(parent) && lacking.insert(parent).inserted { rest.append(parent) }
        }
        return true
    }

    /// Looks at what should have arrived by now.
    mutating func checkDeliveries(in world: World) {
        let due = deliveries.prefix { world.now - $0.sentAt >= Self.promptness }
        deliveries.removeFirst(due.count)
        for delivery in due where !isExcused(delivery, in: world) {
            let (sender, receiver) = (world.hosts[delivery.sender], world.hosts[delivery.receiver])
            expect(
                receiver.acknowledged.contains(delivery.operation), .promptness, world,
                "\(receiver.name) is still without what \(sender.name) wrote two seconds ago")
        }
    }

    /// From now on nothing is as it was when messages were written.
    mutating func forgetDeliveries() { deliveries = [] }

    /// Whether one of the two is not in the conversation any more, as either knows it: then it is with others to bring
    /// the message.
    private func hasParted(_ delivery: Delivery, in world: World) -> Bool {
        let (sender, receiver) = (world.hosts[delivery.sender], world.hosts[delivery.receiver])
        return [sender, receiver].contains { host in
            guard let group = host.core?.replicas[delivery.conversation]?.group else { return true }
            return !group.isMember(sender.user) || !group.isMember(receiver.user)
        }
    }

    /// Whether something else than liars kept a message.
    private func isExcused(_ delivery: Delivery, in world: World) -> Bool {
        let ends = world.wires[delivery.side.wire]?.ends ?? []
        guard ends.count == 2, ends.allSatisfy({ $0 != nil }), let pipes = world.wires[delivery.side.wire]?.pipes else {
            return true
        }
        let pair = [world.hosts[delivery.sender], world.hosts[delivery.receiver]]
        let since = delivery.sentAt - Self.aftermath
        return pair.map(\.life) != delivery.lives || hasParted(delivery, in: world)
            || pair[1].lacksRoom(in: delivery.conversation)
            || pair.contains { $0.core == nil || $0.wasPutBack || world.isTakenOut($0) }
            || pair.contains { $0.frozenUntil > since || $0.troubledUntil > since }
            || pipes.contains { $0.stalledUntil > since }
            || world.network.wasBlocked(between: delivery.sender, and: delivery.receiver, since: since)
    }
}
