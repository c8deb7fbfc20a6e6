import Conversations
import LocalAPIModel
import Membership
import Replication

// The words of the interface for what the cores say. A case that is added to a core does not compile before it has one.

extension MemberDescription.Role {
    /// The word for what a grant lets its holder do.
    init(_ role: Role) {
        switch role {
        case .founder: self = .founder
        case .admin: self = .admin
        case .moderator: self = .moderator
        case .member: self = .member
        }
    }
}

extension MessageDescription.System.Action {
    /// The word for what a system message reports.
    init(_ action: SystemMessage.Action) {
        switch action {
        case .created: self = .created
        case .added, .welcomed: self = .added
        case .joined: self = .joined
        case .removed: self = .removed
        case .left: self = .left
        case .promoted: self = .promoted
        case .demoted: self = .demoted
        case .renamed: self = .renamed
        case .described: self = .description
        case .photo: self = .photo
        case .setting: self = .setting
        case .actingAdmin: self = .actingAdmin
        }
    }
}

extension GroupSettingsDescription {
    /// The words for what a group is set to.
    init(_ group: Group) {
        let current = group.currentSettings
        self.init(
            announcement: current[Group.announcementField].flatMap(Announcement.init) ?? .unknown,
            membersAdd: current[AddSetting.field].flatMap(Adding.init) ?? .unknown,
            statistics: current[Group.statisticsField].flatMap(Statistics.init) ?? .unknown)
    }
}

extension NotificationDescription.Kind {
    /// The word for what a notification tells.
    init(_ kind: NotificationTrigger.Kind) {
        switch kind {
        case .messages: self = .message
        case .added: self = .added
        case .asked: self = .asked
        case .invited: self = .invited
        case .removed: self = .removed
        case .actingAdmin: self = .actingAdmin
        }
    }
}

extension DeliveryState.Phase {
    /// The word for how far receipts say that a message has come.
    init(_ phase: MessageReceipts.Phase) {
        switch phase {
        case .pending: self = .pending
        case .delivered: self = .delivered
        case .read: self = .read
        }
    }
}

extension StatusDescription.Sync.State {
    /// The word for how a replica compares with those of the connected peers.
    init(_ state: Replicator.Status.State) {
        switch state {
        case .synced: self = .synced
        case .pulling: self = .pulling
        case .behind: self = .behind
        case .alone: self = .alone
        }
    }
}

extension RightsDescription {
    init(_ rights: Group.Rights) {
        self.init(
            write: rights.write, add: rights.add, remove: rights.remove, edit: rights.edit, promote: rights.promote,
            pin: rights.pin, deleteOthers: rights.deleteOthers, invite: rights.invite)
    }
}
