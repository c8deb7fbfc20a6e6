/// What a group is set to. The fields are called as the settings that a change names.
public struct GroupSettingsDescription: Hashable, Sendable, Codable {
    /// Who writes messages.
    public enum Announcement: String, APIEnum {
        /// Only admins and moderators.
        case on
        /// Every member.
        case off
        case unknown
    }

    /// Who adds people.
    public enum Adding: String, APIEnum {
        /// Every member.
        case everyone
        /// Only admins and moderators.
        case moderators
        case unknown
    }

    /// Who is shown the statistics.
    public enum Statistics: String, APIEnum {
        /// Every member.
        case everyone
        /// Only admins.
        case admins
        case unknown
    }

    private enum CodingKeys: String, CodingKey {
        case announcement, statistics
        case membersAdd = "members-add"
    }

    /// Who writes messages.
    public var announcement: Announcement
    /// Who adds people.
    public var membersAdd: Adding
    /// Who is shown the statistics.
    public var statistics: Statistics

    package init(announcement: Announcement, membersAdd: Adding, statistics: Statistics) {
        self.announcement = announcement
        self.membersAdd = membersAdd
        self.statistics = statistics
    }
}
