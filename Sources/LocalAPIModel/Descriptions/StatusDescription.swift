/// How the node is doing.
public struct StatusDescription: Hashable, Sendable, Codable {
    /// One conversation's sync state.
    public struct Sync: Hashable, Sendable, Codable {
        /// How the node's replica compares with those of the connected members.
        public enum State: String, APIEnum {
            /// They are equal.
            case synced
            /// Operations are being fetched.
            case pulling
            /// A member holds something else, and nothing is being fetched.
            case behind
            /// No other member who has the conversation is connected, or you are no member.
            case alone
            case unknown
        }

        /// The id of the conversation.
        public var conversation: String
        /// What the conversation is called.
        public var title: String
        /// How the node's replica compares with those of the connected members.
        public var state: State
        /// Devices of members connected that hold exactly what we hold.
        public var peersInSync: [String]
        /// The device operations are being fetched from, if any.
        public var pullingFrom: String?
        /// Operations held in both lanes.
        public var operations: Int
        /// Received operations that wait for others.
        public var pending: Int
        /// Texts that are not here yet and are asked for.
        public var wanted: Int
        /// Whether members hold more than is taken here.
        public var heldBack: Bool

        package init(
            conversation: String, title: String, state: State, peersInSync: [String], pullingFrom: String? = nil,
            operations: Int, pending: Int, wanted: Int, heldBack: Bool
        ) {
            self.conversation = conversation
            self.title = title
            self.state = state
            self.peersInSync = peersInSync
            self.pullingFrom = pullingFrom
            self.operations = operations
            self.pending = pending
            self.wanted = wanted
            self.heldBack = heldBack
        }
    }

    /// The version of the program.
    public var version: String
    /// The version of the protocol: of what nodes tell each other.
    public var protocolVersion: Int
    /// The version of the database's schema.
    public var schemaVersion: Int
    /// The id of the user.
    public var user: String
    /// What the person or thing is called.
    public var name: String
    /// The id of the device.
    public var device: String
    /// The folder in which the node keeps everything.
    public var home: String
    /// The path of the Unix socket on which it listens.
    public var socket: String
    /// The file into which the log is written; absent where it goes to standard error, as in a service.
    public var log: String?
    /// Where browsers find the page; absent where the node serves none. Nobody is let in by this alone.
    public var web: String?
    /// The process of the node.
    public var pid: Int32
    /// Seconds since the start.
    public var uptimeSeconds: Double
    /// Addresses peers can dial.
    public var listening: [String]
    /// Whether beacons are sent and heard.
    public var discovery: Bool
    /// The connected nodes.
    public var peers: [PeerDescription]
    /// The conversations.
    public var conversations: [Sync]
    /// Messages of others since the user last read, in all conversations that are not archived.
    public var unread: Int
    /// Bytes of the database file.
    public var databaseBytes: Int64
    /// Bytes free for the node on that file's disk; absent if the system does not say.
    public var freeBytes: Int64?
    /// Bytes that files take on disk, also those that are on their way.
    public var filesBytes: Int64
    /// Bytes that they may take.
    public var filesQuota: Int64
    /// Bytes of memory occupied.
    public var residentBytes: Int64
    /// "writable", or why nothing can be written now.
    public var storage: String
    /// Whether the node itself brings notifications before the user, on the desktop or by a program of theirs: then no client needs to.
    public var notifies: Bool
    /// People who share a name, name by name, the verified ones first: one of them may pretend to be the other.
    public var namesakes: [[PersonDescription]]
    /// Devices whose clocks differ from this host's by more than five minutes, as of what each wrote last.
    public var clocks: [ClockDescription]
    /// Devices of which two copies wrote.
    public var forks: [ForkDescription]
    /// The id of the latest event: whoever follows from here sees all that is newer than this answer.
    public var lastEvent: UInt64

    package init(
        version: String, protocolVersion: Int, schemaVersion: Int, user: String, name: String, device: String,
        home: String, socket: String, log: String? = nil, web: String? = nil, pid: Int32, uptimeSeconds: Double,
        listening: [String], discovery: Bool,
        peers: [PeerDescription], conversations: [Sync],
        unread: Int, databaseBytes: Int64, freeBytes: Int64? = nil, filesBytes: Int64, filesQuota: Int64,
        residentBytes: Int64, storage: String, notifies: Bool, namesakes: [[PersonDescription]],
        clocks: [ClockDescription],
        forks: [ForkDescription], lastEvent: UInt64
    ) {
        self.version = version
        self.protocolVersion = protocolVersion
        self.schemaVersion = schemaVersion
        self.user = user
        self.name = name
        self.device = device
        self.home = home
        self.socket = socket
        self.log = log
        self.web = web
        self.pid = pid
        self.uptimeSeconds = uptimeSeconds
        self.listening = listening
        self.discovery = discovery
        self.peers = peers
        self.conversations = conversations
        self.unread = unread
        self.databaseBytes = databaseBytes
        self.freeBytes = freeBytes
        self.filesBytes = filesBytes
        self.filesQuota = filesQuota
        self.residentBytes = residentBytes
        self.storage = storage
        self.notifies = notifies
        self.namesakes = namesakes
        self.clocks = clocks
        self.forks = forks
        self.lastEvent = lastEvent
    }
}

/// A device whose clock differs from this host's.
public struct ClockDescription: Hashable, Sendable, Codable {
    /// The id of the device.
    public var device: String
    /// The id of its user.
    public var user: String
    /// What the person is called.
    public var name: String
    /// By how many seconds the device's clock is ahead; negative where it is behind.
    public var secondsAhead: Int64

    package init(device: String, user: String, name: String, secondsAhead: Int64) {
        self.device = device
        self.user = user
        self.name = name
        self.secondsAhead = secondsAhead
    }
}
