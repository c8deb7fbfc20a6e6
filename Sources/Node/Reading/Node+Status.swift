import BlobStore
import Conversations
import Foundation
import LocalAPIModel
import NodeCore
import OperationLog
import Replication
import SQLiteStore

extension Node {
    /// How the node is doing: connections, sync, storage. Where the disk cannot be read, the storage says why, and nothing counts as unread.
    public func status() -> StatusDescription {
        let unread: Int
        var storageError = core.lastStorageError
        do throws(StoreError) {
            unread = try countUnread()
        } catch {
            unread = 0
            storageError = storageError ?? error
        }
        return StatusDescription(
            version: Self.version, protocolVersion: Int(OperationHeader.version), schemaVersion: store.schemaVersion,
            user: me.description, name: card.name, device: core.device.id.description,
            uptimeSeconds: Double(started.duration(to: .now).components.seconds), listening: listeningAddresses,
            discovery: configuration.discovery, peers: peers(),
            conversations: replicas.values.sorted { $0.id < $1.id }.map(syncState), unread: unread,
            databaseBytes: Int64(store.fileSize), freeBytes: store.freeBytes.map { Int64(clamping: $0) },
            filesBytes: Int64(blobs.usedByteCount), filesQuota: Int64(configuration.filesQuota),
            residentBytes: Self.residentBytes,
            storage: core.isCopied ? NodeError.homeCopied.message : storageError?.description ?? "writable",
            namesakes: contacts.namesakes.map { $0.map(describe) },
            clocks: core.differentClocks.sorted { $0.key < $1.key }.map { device, clock in
                ClockDescription(
                    device: device.description, user: clock.device.user.description,
                    name: contacts[clock.device.user].name, secondsAhead: clock.ahead / 1_000)
            }, lastEvent: events.lastID)
    }

    /// Messages of others that the user has not read, in all conversations.
    ///
    /// - Throws: `storage_failed`.
    public func unreadCount() throws(NodeError) -> Int {
        do throws(StoreError) {
            return try store.unreadCounts(for: me, without: core.blocked)
                .filter { replicas[$0.key].map(core.awaitsConsent) != true }.values.reduce(0, +)
        } catch {
            throw NodeError(error)
        }
    }

    /// Messages of others since the user last read, in all conversations that are not archived.
    private func countUnread() throws(StoreError) -> Int {
        let counts = try store.unreadCounts(for: me, without: core.blocked)
        return replicas.values.filter { !core.isArchived($0) && !core.awaitsConsent($0) }.map { counts[$0.id] ?? 0 }
            .reduce(0, +)
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
            address: link.place.description, direction: link.isOutgoing ? .outgoing : .incoming,
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
            wanted: replica.wanted.count)
    }

    /// How the replicas of connected members compare with ours, by digest of everything held.
    ///
    /// - Throws: `storage_failed`.
    public func verify() throws(NodeError) -> VerificationDescription {
        let sorted = replicas.values.sorted { $0.id < $1.id }
        let conversations = try sorted.map { replica throws(NodeError) in
            let inSync = Set(core.replicator.status(of: replica.id).inSync)
            let connected = core.connectedDevices
            // A former member gets nothing more, so their replica has nobody's to equal.
            let others = replica.group.isMember(me) ? replica.group.members.map(\.user).filter { $0 != me } : []
            let replicas = others.flatMap { user in
                (contacts[user].identity?.devices ?? []).map { entry in
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
