import OperationLog
import ReplicatedTypes
import Time

/// Whom a user does not want to hear. Nobody else sees it; all of their devices come to the same.
///
/// Each person has a last-writer-wins register of their own, and those who were taken off stay, so that another device does not bring
/// them back. Merging is therefore associative, commutative and idempotent.
public struct BlockList: Hashable, Sendable {
    /// People about whom something may be said, those taken off among them.
    public static let maximumPeople = 4_096
    /// The longest encoding, in bytes.
    public static let maximumBytes = 1 + 2 + maximumPeople * (32 + 10 + 32 + 1)
    private static let version: UInt8 = 1

    private typealias Register = LastWriterWinsRegister<Bool, PrivateStamp>
    private var people: [UserID: Register] = [:]

    /// Nobody is blocked.
    public init() {}

    /// The people who are blocked.
    public var blocked: Set<UserID> { Set(people.filter { $0.value.value == true }.keys) }

    /// Whether a person is blocked.
    public func contains(_ user: UserID) -> Bool { people[user]?.value == true }

    /// Blocks a person, or takes it back.
    ///
    /// - Returns: False if the list is full; then it is as it was.
    public mutating func set(_ user: UserID, isBlocked: Bool, at wall: Timestamp, by device: DeviceID) -> Bool {
        guard people[user] != nil || people.count < Self.maximumPeople else { return false }
        let newest = people.values.lazy.compactMap(\.stamp).max()
        people[user, default: Register()].write(
            isBlocked, at: PrivateStamp(at: wall, after: newest, by: device))
        return true
    }

    /// The canonical bytes. Of a list there is one encoding.
    public var encoded: [UInt8] {
        var writer = CanonicalWriter()
        writer.write(byte: Self.version)
        writer.write(count: people.count)
        for (user, register) in people.sorted(by: { $0.key < $1.key }) {
            guard let isBlocked = register.value, let stamp = register.stamp else {
                preconditionFailure("whoever is on the list was written there")
            }
            writer.write(user)
            writer.write(number: stamp.time)
            writer.write(stamp.device)
            writer.write(byte: isBlocked ? 1 : 0)
        }
        return writer.bytes
    }

    /// Reads what ``encoded`` writes and nothing else.
    public init(decoding bytes: [UInt8]) throws(MalformedBytes) {
        var reader = CanonicalReader(bytes)
        guard try reader.byte() == Self.version else { throw .invalid(field: "version") }
        var last: UserID?
        for _ in 0..<(try reader.count(of: "people", limit: Self.maximumPeople, each: 66)) {
            let user: UserID = try reader.identifier()
            if let last, last >= user { throw .unsorted(field: "people") }
            last = user
            guard let stamp = PrivateStamp(time: try reader.number(), device: try reader.identifier()) else {
                throw .invalid(field: "stamp")
            }
            let flag = try reader.byte()
            guard flag <= 1 else { throw .invalid(field: "blocked") }
            people[user, default: Register()].write(flag == 1, at: stamp)
        }
        try reader.finish()
    }
}
