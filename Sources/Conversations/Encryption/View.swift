import Cryptography
import OperationLog

/// Names a view by everything in it.
public struct ViewID: DigestIdentifier {
    /// `H("moot/1/view", conversation, user, device, wrap key, …)`, and with devices taken out
    /// `H("moot/1/view-without", that, user, device, …)`.
    public let digest: Digest

    /// Wraps the bytes of a name.
    public init(digest: Digest) { self.digest = digest }
}

/// The devices that may read what is written under some membership heads.
///
/// A function of the past of those heads alone, and a past never changes: so neither does a view. People who wait for
/// room are not in it, nor are devices that published no key.
public struct View: Hashable, Sendable {
    /// Devices a view may have: the first device of everybody by seniority, then the second ones, and so on.
    public static let maximumReaders = 512

    /// A device to which one can seal.
    public struct Reader: Hashable, Sendable {
        /// Whose it is.
        public let user: UserID
        /// The device.
        public let device: DeviceID
        /// Its X25519 key, 32 bytes.
        public let wrapKey: [UInt8]
    }

    /// The readers, ascending by user, then by device.
    public let readers: [Reader]
    /// The members' devices that were taken out before, in the same order. They are in the name: else the view from
    /// before such a device came would recur when it has gone, and with it a key that it may know.
    let departed: [Tombstone]
    /// What names the view.
    public let id: ViewID
    private let places: [DeviceID: Int]

    /// Readers in the order of a view.
    static func ordered(_ readers: [Reader]) -> [Reader] {
        readers.sorted { ($0.user, $0.device) < ($1.user, $1.device) }
    }

    /// Takes up to ``maximumReaders`` readers.
    ///
    /// - Parameters:
    ///   - readers: as ``ordered(_:)`` returns them.
    ///   - departed: what took devices of the members out, ascending by user, then by device.
    init(of conversation: ConversationID, readers: [Reader], departed: [Tombstone]) {
        var names: [UInt8] = []
        names.reserveCapacity(readers.count * 96)
        for reader in readers {
            names += reader.user.digest.bytes
            names += reader.device.digest.bytes
            names += reader.wrapKey
        }
        self.readers = readers
        self.departed = departed
        id = Self.id(.hash("moot/1/view", conversation.digest.bytes, names), without: departed)
        places = Dictionary(uniqueKeysWithValues: readers.enumerated().map { ($1.device, $0) })
    }

    private static func id(_ plain: Digest, without departed: [Tombstone]) -> ViewID {
        guard !departed.isEmpty else { return ViewID(digest: plain) }
        let names = departed.flatMap { $0.user.digest.bytes + $0.device.digest.bytes }
        return ViewID(digest: .hash("moot/1/view-without", plain.bytes, names))
    }

    /// Whether a device may read.
    public func contains(_ device: DeviceID) -> Bool { places[device] != nil }

    /// Whether a device of a person may read: what one of their devices may, the others may, too.
    ///
    /// - Complexity: O(log *n*) in the readers.
    public func contains(_ user: UserID) -> Bool {
        let place = readers.insertionIndex { $0.user < user }
        return place < readers.count && readers[place].user == user
    }

    /// The index of a device among the readers; nil if it may not read.
    public func place(of device: DeviceID) -> Int? { places[device] }
}
