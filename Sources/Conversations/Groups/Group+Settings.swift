import Membership

/// What a group can be set to, by registers whose values are words.
extension Group {
    /// The register that says whether only admins and moderators write.
    public static let announcementField = AnnouncementSetting.field
    /// The register that says who is shown the statistics.
    public static let statisticsField = "statistics"

    /// Settings of a group with the values each may take; the first one is that of a new group.
    public static let settings = [
        announcementField: ["off", "on"], AddSetting.field: ["moderators", AddSetting.everyone],
        statisticsField: ["everyone", statisticsForAdmins],
    ]

    /// What one of the settings is set to. One that was never set, or to a word that nobody knows, is as in a new
    /// group.
    public func currentSetting(of field: String) -> String {
        guard let value = value(of: field), Self.settings[field]?.contains(value) == true else {
            return Self.initialValue(of: field)
        }
        return value
    }

    /// Whether a register has a value already, so that writing it would change nothing.
    public func holds(_ value: String, in field: String) -> Bool {
        (self.value(of: field) ?? Self.initialValue(of: field)) == value
    }

    /// The value of a register that was never written.
    static func initialValue(of field: String) -> String { settings[field]?.first ?? "" }

    /// What somebody does who sets a setting, in words that follow their name.
    static func effect(of value: String, in field: String) -> String {
        switch field {
        case announcementField: value == "on" ? "lets only admins and moderators write" : "lets every member write"
        case AddSetting.field:
            value == AddSetting.everyone
                ? "lets every member add people" : "lets only admins and moderators add people"
        case statisticsField:
            value == statisticsForAdmins
                ? "shows the statistics to admins only" : "shows the statistics to every member"
        default: "set \(field) to \(value)"
        }
    }
}
