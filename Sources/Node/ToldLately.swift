import Blobs
import NodeCore
import OperationLog
import Photos

/// What a node remembers, while it runs, for what it tells its clients. All of it is bounded, and nothing depends on it but what they are told.
struct ToldLately {
    /// How files were doing when watchers were last told.
    var files: [BlobAddress: FileProgress] = [:]
    /// What clients called the requests that sent messages.
    var clientIDs = RecentValues<OperationID, String>(room: 4_096)
    /// How large pictures are; nil for what is none.
    var pictureSizes = RecentValues<BlobAddress, PictureSize?>(room: 8_192)
}

/// What watchers were last told of a file.
struct FileProgress: Equatable {
    let phase: FileState.Phase
    let percent: Int
}

/// Values that may be forgotten, the newest last.
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
        get { newer[key] ?? older[key] }
        set {
            guard let newValue else { return }
            if newer.count >= half { (older, newer) = (newer, [:]) }
            newer[key] = newValue
        }
    }
}
