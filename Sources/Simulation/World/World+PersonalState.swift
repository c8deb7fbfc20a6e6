import Conversations
import NodeCore
import OperationLog
import Time

/// What users keep for themselves, and have on all of their devices.
extension World {
    /// Keeps something about a conversation or a person; false if there is nothing to keep it about.
    func keep(
        _ step: Step, about other: UserID, _ core: inout NodeCore, _ moment: Moment
    ) throws(NodeError) -> Bool {
        if step.value % 8 < 2 {
            guard other != core.me else { return false }
            if step.value % 8 == 0 {
                try core.setBlocked(!core.isBlocked(other), of: other, at: moment)
            } else {
                try core.setVerified(!core.contacts[other].isVerified, of: other, at: moment)
            }
            return true
        }
        let known = conversations.filter { core.replicas[$0] != nil }
        guard !known.isEmpty else { return false }
        var change = ConversationPreferencesUpdate()
        switch step.value % 8 {
        case 2: change.pinned = step.value < 48
        case 3: change.muting = step.value < 48 ? .on(Mute(until: nil)) : .off
        case 4: change.archiving = step.value < 48 ? .archived : .kept
        case 5: change.addedTags = [Tag("tag \(step.other % 4)")].compactMap(\.self)
        default: change.draft = step.value < 48 ? "draft \(step.at)" : ""
        }
        try core.change(change, of: known[step.conversation % known.count], at: moment)
        return true
    }

    /// Which devices of one user do not keep the same for them; nil if all do.
    ///
    /// What a clock says that is a day ahead of another one is not taken there.
    var privateStateDisagreeing: String? {
        for (host, other) in pairsOfDevices where host.index < other.index && clocksAgree(of: host.user) {
            guard let own = host.core, let others = other.core else { continue }
            if own.privateStateDigest != others.privateStateDigest {
                return "\(host.name) and \(other.name) do not keep the same for their user"
            }
        }
        return nil
    }

    /// Whether the clocks of a user's devices were never a day apart.
    private func clocksAgree(of user: UserID) -> Bool {
        let changes = plan.steps.filter { $0.kind == .setClock && hosts[$0.host % hosts.count].user == user }
        return changes.allSatisfy { abs(Self.shift(of: $0)) < Self.day / 2 }
    }

    /// A day, in milliseconds.
    private static let day: Int64 = 86_400_000
}
