import Conversations
import Membership
import NodeCore
import OperationLog

/// Everything a replica makes of the operations it holds: equal operations, equal snapshot.
struct ReplicaSnapshot {
    let members: [Group.Member]
    let actingAdmin: UserID?
    let name: String?
    let description: String?
    let isArchived: Bool
    let void: [OperationID: Rule]
    let systemMessages: [SystemMessage]
    let audience: [UserID: MembershipStatus]
    /// The epochs with their views and who complains of them; nil where bodies are still missing.
    let epochs: [OperationID: Epoch]?

    /// What all replicas make of an epoch, whether they hold its key or not.
    struct Epoch: Hashable {
        let view: ViewID
        let complainers: [DeviceID]
    }

    init(_ replica: Replica) {
        let group = replica.group
        members = group.members
        actingAdmin = group.actingAdmin
        name = group.name
        description = group.description
        isArchived = group.isArchived
        var void: [OperationID: Rule] = [:]
        for entry in group.history { void[entry.operation.id] = entry.voidReason?.rule }
        self.void = void
        systemMessages = group.systemMessages
        audience = group.audience
        epochs =
            replica.wanted.isEmpty
            ? replica.epochs.all.mapValues { Epoch(view: $0.view.id, complainers: $0.complaints) } : nil
    }

    /// The parts in which two appearances differ, for a message.
    func differences(from other: ReplicaSnapshot) -> String {
        var parts: [String] = []
        if members != other.members { parts.append("members") }
        if actingAdmin != other.actingAdmin { parts.append("acting admin") }
        if name != other.name || description != other.description { parts.append("registers") }
        if isArchived != other.isArchived { parts.append("archived") }
        if void != other.void { parts.append("verdicts") }
        if systemMessages != other.systemMessages { parts.append("system messages") }
        if audience != other.audience { parts.append("audience") }
        if let epochs, let others = other.epochs, epochs != others { parts.append("epochs") }
        return parts.joined(separator: ", ")
    }
}
