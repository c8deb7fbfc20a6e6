/// What a node was told by its user for every start.
public struct SettingsDescription: Hashable, Sendable, Codable {
    /// The file of settings that counts, or would if it was there.
    public var file: String
    /// Whether it is there.
    public var isFileThere: Bool
    /// All of them.
    public var settings: [SettingDescription]

    package init(file: String, isFileThere: Bool, settings: [SettingDescription]) {
        self.file = file
        self.isFileThere = isFileThere
        self.settings = settings
    }
}

/// A setting in force.
public struct SettingDescription: Hashable, Sendable, Codable {
    /// Who chose it.
    public enum Source: String, APIEnum {
        /// An option of the command line.
        case commandLine = "command_line"
        /// A variable of the environment.
        case environment
        /// The file.
        case file
        /// The unit of the service manager, where nobody else did.
        case unit
        /// Nobody.
        case initial = "default"
        case unknown
    }

    /// As it is called in the file.
    public var name: String
    /// What it is: one value, or any number for a list; none where it depends on the host.
    public var values: [String]
    /// Who chose it.
    public var source: Source
    /// The variable, or the file with the line; absent for the other sources.
    public var place: String?
    /// Whether a running node takes a change over; else it counts from the next start on.
    public var isReloadable: Bool

    package init(name: String, values: [String], source: Source, place: String? = nil, isReloadable: Bool) {
        self.name = name
        self.values = values
        self.source = source
        self.place = place
        self.isReloadable = isReloadable
    }
}

/// What came of reading the file of settings again.
public struct SettingsReloadDescription: Hashable, Sendable, Codable {
    /// The file that was read.
    public var file: String
    /// Whether it is there.
    public var isFileThere: Bool
    /// The settings that changed and are in force.
    public var applied: [String]
    /// Those that changed and count from the next start on.
    public var needRestart: [String]

    package init(file: String, isFileThere: Bool, applied: [String], needRestart: [String]) {
        self.file = file
        self.isFileThere = isFileThere
        self.applied = applied
        self.needRestart = needRestart
    }
}
