import Conversations
import NodeCore
import OperationLog
import Replication

/// What others tell a node of does not fill it.
extension InvariantChecker {
    /// Conversations that a node may open for each connection because it was told of them.
    private static let inventionsPerLink = 32
    /// Strangers of whom a node may keep something on its disk.
    private static let strangers = 64
    /// Places that may be dialed at once besides those of the world.
    private static let dials = 16

    /// Counts what a node remembers.
    mutating func checkMemory(of core: NodeCore, _ host: Host, _ world: World) {
        guard world.hasQueues else { return }
        let links = core.links.count
        let replicas = core.replicas.keys.count { !world.conversations.contains($0) }
        expect(
            replicas <= Self.inventionsPerLink * (links + 1), .boundedMemory, world,
            "\(host.name) holds \(replicas) conversations that nobody is in")
        let people = core.contacts.all.count
        expect(
            people <= world.hosts.count + links + NodeCore.maximumNearbyPerHost * world.hosts.count, .boundedMemory,
            world,
            "\(host.name) remembers \(people) people")
        let kept = host.disk.image.profiles.keys.count { user in !world.hosts.contains { $0.user == user } }
        expect(
            kept <= Self.strangers, .boundedMemory, world,
            "\(host.name) keeps \(kept) strangers on disk")
        let dials = host.dialed.count { Host.index(at: $0, among: world.hosts.count) == nil }
        expect(
            dials <= Self.dials, .boundedMemory, world, "\(host.name) dials \(dials) places at once where nobody is")
        let waiting = Dictionary(grouping: host.inbox.messages, by: \.side).values.map {
            $0.reduce(0) { $0 + $1.message.count }
        }
        expect(
            waiting.allSatisfy { $0 <= World.inboundQueueBytes + SecureChannel.maximumMessageBytes }, .boundedMemory,
            world,
            "more waits for \(host.name) than may")
    }

    /// Something was sent to a stranger.
    mutating func tellsStranger(_ message: [UInt8], in world: World) {
        let told = message.first.flatMap(PeerMessageKind.init).map { $0.circle != .anybody } ?? false
        expect(!told, .strangers, world, "a stranger was told something of a conversation")
    }
}
