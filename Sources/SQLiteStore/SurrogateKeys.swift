import Cryptography
import GRDB
import OperationLog
import Storage
import Time

/// The small numbers by which rows name devices, conversations, and the operations that many others name.
///
/// Held in memory whole: there are few. A transaction works on a copy, which is kept once the transaction is durable.
struct SurrogateKeys {
    /// A conversation as rows know it.
    struct Conversation {
        let number: Int64
        let id: ConversationID
        let root: ConversationRoot
    }

    /// The conversations, in the order they were opened; that of number *n* is at *n* − 1.
    private(set) var conversations: [Conversation] = []
    private var conversationIndex: [ConversationID: Int] = [:]
    /// The device of number *n* is at *n* − 1.
    private var devices: [Device] = []
    private var deviceNumbers: [DeviceID: Int64] = [:]
    /// Of each user the first number of a device of theirs.
    private var firstNumbers: [UserID: Int64] = [:]
    /// The membership operations and the epochs, by the number of their row.
    private var operations: [Int64: OperationID] = [:]
    private var operationNumbers: [OperationID: Int64] = [:]

    /// Knows nobody.
    init() {}

    /// Reads what the tables hold.
    init(loading database: Database) throws {
        try Query("SELECT user, key FROM devices ORDER BY n", on: database).forEachRow { row in
            let user: UserID = try row.identifier(0)
            guard let key = VerifyingKey(bytes: row.bytes(1)) else {
                throw StoreError.corrupted("a device key is damaged")
            }
            add(Device(user: user, key: key))
            return true
        }
        try Query("SELECT n, id, low, high FROM conversations ORDER BY n", on: database).forEachRow { row in
            let root: ConversationRoot =
                row.isNull(2) ? .group : .direct(try row.identifier(2), try row.identifier(3))
            add(Conversation(number: row.number(0), id: try row.identifier(1), root: root))
            return true
        }
        for sql in [
            "SELECT n, id FROM operations INDEXED BY operations_by_chain WHERE conversation = ?1 AND lane = 0",
            """
            SELECT n, id FROM operations INDEXED BY epochs_by_arrival
            WHERE conversation = ?1 AND type BETWEEN 33 AND 35 AND type = 33
            """,
        ] {
            let select = try Query(sql, on: database)
            for conversation in conversations {
                try select.bind(conversation.number, at: 1)
                try select.forEachRow { row in
                    add(try row.identifier(1), as: row.number(0))
                    return true
                }
            }
        }
    }

    /// A conversation that has been opened, or nil.
    subscript(id: ConversationID) -> Conversation? {
        conversationIndex[id].map { conversations[$0] }
    }

    /// The conversation of a number.
    func conversation(_ number: Int64) throws(StoreError) -> Conversation {
        guard number > 0, number <= conversations.count else { throw .corrupted("a row names an unknown conversation") }
        return conversations[Int(number) - 1]
    }

    /// The number of a device, or nil if no row names it.
    func number(of device: DeviceID) -> Int64? { deviceNumbers[device] }

    /// The first number that a device of its user got; 0 for a user who has none.
    func number(ofOwner device: Device) -> Int64 { firstNumbers[device.user] ?? 0 }

    /// The device of a number.
    func device(_ number: Int64) throws(StoreError) -> Device {
        guard number > 0, number <= devices.count else { throw .corrupted("a row names an unknown device") }
        return devices[Int(number) - 1]
    }

    /// The number of a device, which a new one is given.
    mutating func number(of device: Device, on database: Database) throws -> Int64 {
        if let number = deviceNumbers[device.id] { return number }
        let insert = try Query("INSERT INTO devices(n, user, key) VALUES(?1, ?2, ?3)", on: database)
        try insert.bind(Int64(devices.count + 1), at: 1)
        try insert.bind(device.user, at: 2)
        try insert.bind(device.key.bytes, at: 3)
        try insert.run()
        return add(device)
    }

    /// The conversation of an id, which is opened if it is new.
    mutating func open(
        _ id: ConversationID, root: ConversationRoot, at time: Timestamp, on database: Database
    ) throws -> Conversation {
        if let known = self[id] { return known }
        let conversation = Conversation(number: Int64(conversations.count + 1), id: id, root: root)
        let insert = try Query(
            "INSERT INTO conversations(n, id, low, high, opened_at) VALUES(?1, ?2, ?3, ?4, ?5)", on: database)
        try insert.bind(conversation.number, at: 1)
        try insert.bind(id, at: 2)
        if case .direct(let low, let high) = root {
            try insert.bind(low, at: 3)
            try insert.bind(high, at: 4)
        }
        try insert.bind(time.milliseconds, at: 5)
        try insert.run()
        add(conversation)
        return conversation
    }

    /// The membership operation or epoch of a number; nil for any other.
    func numbered(_ number: Int64) -> OperationID? { operations[number] }

    /// The membership operation or epoch of a number.
    func operation(_ number: Int64) throws(StoreError) -> OperationID {
        guard let id = numbered(number) else { throw .corrupted("a row names an unknown operation") }
        return id
    }

    /// The number of a membership operation or an epoch; nil for any other.
    func number(of operation: OperationID) -> Int64? { operationNumbers[operation] }

    /// Whether headers name an operation by its number: what its row says of itself, so that it is the same when it is
    /// read back.
    static func numbers(_ header: OperationHeader) -> Bool { header.lane == .membership || header.type == .epoch }

    /// Notes the number of a membership operation or an epoch.
    mutating func add(_ operation: OperationID, as number: Int64) {
        operations[number] = operation
        operationNumbers[operation] = number
    }

    private mutating func add(_ conversation: Conversation) {
        conversationIndex[conversation.id] = conversations.count
        conversations.append(conversation)
    }

    @discardableResult
    private mutating func add(_ device: Device) -> Int64 {
        devices.append(device)
        let number = Int64(devices.count)
        deviceNumbers[device.id] = number
        firstNumbers[device.user] = firstNumbers[device.user] ?? number
        return number
    }
}
