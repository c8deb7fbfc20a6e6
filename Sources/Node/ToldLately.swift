import Blobs
import NodeCore
import OperationLog
import Photos
import Time

/// What a node remembers, while it runs, for what it tells its clients. All of it is bounded, and nothing depends on it
/// but what they are told.
struct ToldLately {
    /// How files were doing when watchers were last told.
    var files: [BlobAddress: FileProgress] = [:]
    /// What clients called the requests that sent messages.
    var clientIDs = RecentValues<OperationID, String>(room: 4_096)
    /// How large pictures are; nil for what is none.
    var pictureSizes = RecentValues<BlobAddress, PictureSize?>(room: 32_768)
    /// How many messages were unread in conversations, as watchers were last told.
    var unread: [ConversationID: UnreadSight] = [:]
    /// How many messages were unread in conversations when they were last counted.
    var counted: [ConversationID: CountedUnread] = [:]
    /// The devices of whose forked chains watchers were told: whoever forks theirs a thousand times would push
    /// everything else out of the stream.
    private var forks = RecentValues<Fork, Bool>(room: 4_096)

    /// Whether a fork by a device is the first one in a conversation that watchers are told of.
    mutating func isFirstFork(by device: DeviceID, in conversation: ConversationID) -> Bool {
        let fork = Fork(device: device, conversation: conversation)
        guard forks[fork] == nil else { return false }
        forks[fork] = true
        return true
    }

    private struct Fork: Hashable {
        let device: DeviceID
        let conversation: ConversationID
    }
}

/// How many messages of a conversation are unread, as long as it stays as it is.
///
/// To count them it may have to be judged of a thousand whether they count. What happens in one conversation changes
/// nothing in another one.
struct CountedUnread: Equatable {
    /// What they were counted from. What changes none of it, as a key or a text that came late, is told of as an event,
    /// after which they are counted anew.
    struct Basis: Equatable {
        /// The messages beyond the read marks of all others than these people.
        let stored: Int
        /// How many operations the conversation has.
        let operations: Int
        /// How far the user has read each chain.
        let marks: [DeviceID: UInt64]
        /// The people whom the user does not hear.
        let blocked: Set<UserID>
        /// The people of whose messages it is judged one by one which count.
        let outsiders: Set<UserID>
    }

    let basis: Basis
    let count: Int
}

/// What watchers were last told of a file.
struct FileProgress: Equatable {
    let phase: FileState.Phase
    let percent: Int
}

/// How many messages of a conversation are unread, for a short time.
///
/// To count them grows with what is unread. So they are counted once in a while, and meanwhile what comes is added.
struct UnreadSight: Equatable {
    /// How long a count is added to.
    static let lifetime = Duration.seconds(1)

    private(set) var count: Int
    /// When they are counted again, since the node started.
    let ends: Duration
    /// When they were counted.
    private let countedAt: Timestamp
    /// Those that came just then or later and are in the count. A message is told of again when its text comes.
    private var added: Set<OperationID>

    /// Takes in a count, which has some messages that came just now.
    init(_ count: Int, countedAt: Timestamp, with came: [OperationID: Timestamp], ends: Duration) {
        (self.count, self.countedAt, self.ends) = (count, countedAt, ends)
        added = Set(came.keys)
    }

    /// Takes in messages that came, each with when it did.
    ///
    /// What was stored together is told of one after the other, so what came before the count was made is in it.
    ///
    /// - Returns: whether the count is right; false where a message came in the very moment in which it was made.
    mutating func add(_ came: [OperationID: Timestamp]) -> Bool {
        for (id, arrival) in came where arrival >= countedAt && !added.contains(id) {
            guard arrival > countedAt else { return false }
            added.insert(id)
            count += 1
        }
        return true
    }
}

/// Values that may be forgotten, those used last the last.
struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let half: Int
    private var newer: [Key: Value] = [:]
    private var older: [Key: Value] = [:]

    /// Remembers nothing yet.
    ///
    /// - Parameter room: how many values are remembered at most; at least the last half as many are.
    init(room: Int) {
        half = room / 2
    }

    /// The value that was noted last; to note nil changes nothing.
    subscript(key: Key) -> Value? {
        mutating get {
            if let value = newer[key] { return value }
            guard let value = older[key] else { return nil }
            // What is looked at again stays.
            self[key] = value
            return value
        }
        set {
            guard let newValue else { return }
            if newer.count >= half { (older, newer) = (newer, [:]) }
            newer[key] = newValue
        }
    }
}
