import BlobStore
import Conversations
import Foundation
import Glibc
import KeyStore
import LocalAPIModel
import NodeCore
import OperationLog
import Replication
import SQLiteStore
import Storage
import Time

extension Node {
    /// How the node is doing: connections, sync, storage. Where the disk cannot be read, the storage says why, and
    /// nothing counts as unread.
    public func status() -> StatusDescription {
        let unread: Int
        var problem = storageProblem
        do throws(StoreError) {
            unread = try countUnread()
        } catch {
            unread = 0
            problem = problem ?? error
        }
        return StatusDescription(
            version: Self.version, protocolVersion: Int(OperationHeader.version), schemaVersion: store.schemaVersion,
            user: me.description, name: contacts[me].name, device: core.device.id.description,
            home: home.folder, socket: socketPath, log: configuration.logFile, pid: getpid(),
            uptimeSeconds: Double(started.duration(to: .now).components.seconds),
            listening: listeningAddresses,
            discovery: configuration.discovery, peers: peers(),
            conversations: listedReplicas.map(syncState), unread: unread,
            databaseBytes: Int64(store.fileSize), freeBytes: store.freeBytes.map { Int64(clamping: $0) },
            filesBytes: Int64(blobs.usedByteCount), filesQuota: Int64(configuration.filesQuota),
            residentBytes: Self.residentBytes,
            storage: refusalToWrite?.message ?? problem?.description ?? "writable",
            notifies: !configuration.notificationSinks.isEmpty, namesakes: contacts.namesakes.map { $0.map(describe) },
            clocks: core.clockSkews.sorted { $0.key < $1.key }.map { device, clock in
                ClockDescription(
                    device: device.description, user: clock.device.user.description,
                    name: contacts[clock.device.user].name, secondsAhead: clock.ahead / 1_000)
            }, forks: forks(), lastEvent: events.lastID)
    }

    /// Why nothing can be stored now, as far as that is known: the next write of a disk without room fails.
    var storageProblem: StoreError? { core.lastStorageError ?? (store.freeBytes == 0 ? .diskFull : nil) }

    /// The devices whose chains fork in a conversation.
    private func forks() -> [ForkDescription] {
        var devices: Set<DeviceID> = []
        for replica in replicas.values {
            for frontier in [replica.log.membershipFrontier, replica.log.contentFrontier] where frontier.hasForks {
                devices.formUnion(frontier.tips.filter { $0.value.count > 1 }.keys)
            }
        }
        guard !devices.isEmpty else { return [] }
        let known = contacts.all.flatMap { person in
            (person.identity?.devices ?? []).map { (person, $0) }
        }.filter { devices.contains($0.1.device.id) }
        return known.sorted { $0.1.device.id < $1.1.device.id }.map { person, entry in
            ForkDescription(
                device: entry.device.id.description, deviceName: entry.name, user: person.user.description,
                name: person.name)
        }
    }

    /// Why the node writes nothing any more; nil while it does.
    private var refusalToWrite: NodeError? {
        core.isDeleted
            ? .identityDeleted
            : core.isTakenOut ? .deviceTakenOut : core.isCopied ? .homeCopied : core.isNewDevice ? .notCertified : nil
    }

    /// The connected nodes.
    public func peers() -> [PeerDescription] {
        core.links.keys.sorted().compactMap(peer)
    }

    /// A connected node; nil before it has proven who it is.
    func peer(_ handle: PeerHandle) -> PeerDescription? {
        guard let link = core.links[handle], let identity = link.identity else { return nil }
        let user = identity.device.user
        return PeerDescription(
            device: identity.device.id.description, user: user.description, name: contacts[user].name,
            address: link.endpoint.description, direction: link.isOutgoing ? .outgoing : .incoming,
            connectedAt: Clock.text(link.since.milliseconds),
            roundTripMilliseconds: core.replicator.roundTrip(of: handle).map { $0 / .milliseconds(1) })
    }

    private func syncState(of replica: Replica) -> StatusDescription.Sync {
        let status = core.replicator.status(of: replica.id)
        return StatusDescription.Sync(
            conversation: replica.id.description, title: title(of: replica),
            state: StatusDescription.Sync.State(status.state),
            peersInSync: status.inSync.map(\.description).sorted(), pullingFrom: status.pullingFrom?.description,
            operations: replica.operationCount, pending: core.pending.count(of: replica.id),
            wanted: replica.wanted.count, heldBack: core.reasonHeldBack(replica.id) != nil)
    }

    /// How the replicas of connected members compare with ours, by digest of everything held.
    ///
    /// - Throws: `storage_failed`.
    public func verify() throws(NodeError) -> VerificationDescription {
        let conversations = try listedReplicas.map { replica throws(NodeError) in
            let inSync = Set(core.replicator.status(of: replica.id).inSync)
            let connected = core.connectedDevices
            // A former member gets nothing more, so their replica has nobody's to equal.
            let others = replica.group.isMember(me) ? replica.group.members.map(\.user).filter { $0 != me } : []
            let replicas = others.flatMap { user in
                contacts[user].devices.map { entry in
                    let device = entry.device.id
                    let state: VerificationDescription.Replica.State =
                        !connected.contains(device) ? .unreachable : inSync.contains(device) ? .equal : .different
                    return VerificationDescription.Replica(
                        device: device.description, name: contacts[user].name, state: state)
                }
            }
            return VerificationDescription.Conversation(
                conversation: replica.id.description, title: title(of: replica), operations: replica.operationCount,
                digest: replica.digest, replicas: replicas, equal: replicas.allSatisfy { $0.state != .different },
                gaps: try gaps(in: replica))
        }
        return VerificationDescription(conversations: conversations, equal: conversations.allSatisfy(\.equal))
    }

    /// Bytes of memory the process occupies now.
    private static var residentBytes: Int64 {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int64($0) } ?? 0
        return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }
}
