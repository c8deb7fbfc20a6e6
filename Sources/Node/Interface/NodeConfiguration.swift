/// What a node is started with. Flags win over the environment, the environment over `moot.toml`.
public struct NodeConfiguration: Sendable {
    /// The folder of everything the node keeps.
    public var home: String
    /// The folder of the Unix socket; the same as ``home`` unless the desktop's runtime folder is used.
    public var runtime: String
    /// The user's name at first start, or nil for the account's name.
    public var name: String?
    /// The name that the first start takes if ``name`` is nil, before the account's.
    public var firstName: String?
    /// Where to listen for peers, for example `0.0.0.0:0`, or nil for every address and port 47470.
    public var listen: String?
    /// Peers to keep dialing, `host:port` each.
    public var peers: [String]
    /// Whether to send and hear beacons.
    public var discovery: Bool
    /// Interfaces to send beacons on; empty for all usable ones.
    public var interfaces: [String]
    /// What brings notifications before the user.
    public var notificationSinks: [any NotificationSink]
    /// Whether the words of messages are stored in an index on disk.
    public var searchIndex: SearchIndex
    /// Bytes that files may take on disk.
    public var filesQuota: Int
    /// Whether the user says that no other copy of the home is in use: then a node that had stopped writing for that
    /// reason goes on.
    public var isOnlyCopy: Bool
    /// The file into which the log is written; nil where it goes to standard error.
    public var logFile: String?

    /// Bytes that files may take on disk, unless told otherwise: 10 GiB.
    public static let defaultFilesQuota = 10 << 30

    /// Whether searching has an index, whose words are stored on disk in the clear.
    public enum SearchIndex: String, Hashable, Sendable, CaseIterable {
        /// Unless a passphrase guards the keys: then the words would be all that it does not guard.
        case automatic = "auto"
        /// Always.
        case on
        /// Never: a search opens messages one after the other.
        case off
    }

    /// Describes a node under one folder.
    public init(
        home: String, runtime: String? = nil, name: String? = nil, firstName: String? = nil,
        listen: String? = nil, peers: [String] = [],
        discovery: Bool = true, interfaces: [String] = [], notificationSinks: [any NotificationSink] = [],
        searchIndex: SearchIndex = .automatic, filesQuota: Int = defaultFilesQuota,
        isOnlyCopy: Bool = false, logFile: String? = nil
    ) {
        self.home = home
        self.runtime = runtime ?? home
        self.name = name
        self.firstName = firstName
        self.listen = listen
        self.peers = peers
        self.discovery = discovery
        self.interfaces = interfaces
        self.searchIndex = searchIndex
        self.notificationSinks = notificationSinks
        self.filesQuota = filesQuota
        self.isOnlyCopy = isOnlyCopy
        self.logFile = logFile
    }
}
