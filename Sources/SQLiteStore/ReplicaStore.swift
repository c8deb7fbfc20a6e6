import Cryptography
import GRDB
import GRDBSQLite
import Glibc
import OperationLog
import Storage
import Time

/// A node's replica on disk: the operations of all conversations, and what the node knows of people and places.
///
/// One process at a time has it open, through one connection. Every method is synchronous and does all or nothing; what
/// has been committed survives the loss of power. The store is no authority on anything: it keeps what a
/// ``ConversationLog`` admitted and gives it back. It belongs to one actor.
public final class ReplicaStore: ReplicaStorage {
    /// Bytes of a replica epoch.
    public static let replicaEpochLength = 16

    /// Random bytes minted with the file, by which peers notice a replica that was restored or begun anew.
    public let replicaEpoch: [UInt8]

    let path: String
    private let queue: DatabaseQueue
    /// The numbers that stand for devices and conversations, as committed.
    var register = SurrogateKeys()
    /// The rows of what was committed last.
    let recent = RecentRows()
    /// Whether the write-ahead log may still have what a commit erased.
    var walHasErasedData = false
    /// The group of transactions that is open; nil for none.
    var group: Group?
    /// How long it took to make changes durable: a transaction, or the end of a group.
    public internal(set) var commitTimes = DurationHistogram(bounds: commitBounds)
    /// The copy of the file that is being made; nil for none.
    var copy: DatabaseCopy?

    /// Opens the replica at a path, creating the file (0600) and its directory (0700) where they are missing.
    ///
    /// - Parameters:
    ///   - replicaEpoch: ``replicaEpochLength`` random bytes; asked for only when the file is new or restored.
    ///   - isRestored: whether the file comes from a backup, so that peers must not believe that it is what they knew.
    ///   - program: the version of the program, which an older one names that cannot open the file; nil to leave that
    ///     as it is.
    ///   - upgrading: told what is done to a file that an earlier version wrote: it is copied first, and the copy is
    ///     removed once it was carried over. Nil for a file that may be lost, of which no copy is made.
    /// - Complexity: independent of the number of operations, but for a file of an earlier version.
    public init(
        at path: String, replicaEpoch mint: @autoclosure () -> [UInt8], isRestored: Bool = false,
        program: String? = nil, upgrading: ((DatabaseUpgrade) -> Void)? = nil
    ) throws(StoreError) {
        self.path = path
        try Self.prepareFile(at: path)
        queue = try Self.translating(path: path) { try DatabaseQueue(path: path, configuration: Self.configuration) }
        self.replicaEpoch = try Self.read(path: path, from: queue) { database in
            // Takes the lock that is then held until the store is closed: a second opener fails here.
            try database.inTransaction(.exclusive) { .commit }
            try Self.upgrade(database, at: path, telling: upgrading)
            if let program { try Schema.note(program: program, in: database) }
            if isRestored { try database.execute(sql: "DELETE FROM meta WHERE key = 'replica_epoch'") }
            return try Self.epoch(of: database, minting: mint)
        }
        register = try access { try SurrogateKeys(loading: $0) }
    }

    /// Closes the file. Nothing may be asked of the store afterwards.
    public func close() throws(StoreError) {
        // The connection cannot be closed under it.
        endCopy()
        try Self.translating(path: path) { try queue.close() }
    }

    /// Runs `body` on the connection; what it throws becomes a ``StoreError``.
    func access<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        try Self.read(path: path, from: queue, body)
    }

    /// Runs `body` in a transaction that is durable when the call returns, or with the open group.
    func transaction(_ body: (Database) throws -> Void) throws(StoreError) {
        if group != nil { return try savepoint(body) }
        let began = ContinuousClock.now
        try access { database in
            try database.inTransaction(.immediate) {
                try body(database)
                return .commit
            }
        }
        commitTimes.count(.now - began)
    }

    /// From a disk without flushes to one that makes everybody wait.
    private static let commitBounds: [Duration] =
        [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 5_000_000]
        .map { .microseconds($0) }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "moot.store"
        configuration.foreignKeysEnabled = false
        // A group of transactions is open from one access to a later one.
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { database in
            // Exclusive before the first access: then the index of the write-ahead log is in memory, not in a shared
            // file.
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
            guard mode == "wal" else { throw StoreError.ioError("the write-ahead log is not available here") }
            try database.execute(sql: "PRAGMA synchronous = FULL")
            // What is deleted is overwritten, also where a page is split or the index of words is merged.
            try database.execute(sql: "PRAGMA secure_delete = ON")
            try database.execute(sql: "PRAGMA cache_size = -8192")
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
            // Four megabytes of write-ahead log, which count as much as the messages they hold.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 1000")
            try database.execute(sql: "PRAGMA journal_size_limit = 4194304")
        }
        return configuration
    }

    private static func epoch(of database: Database, minting mint: () -> [UInt8]) throws -> [UInt8] {
        if let epoch = try Query("SELECT value FROM meta WHERE key = 'replica_epoch'", on: database).first({
            $0.bytes(0)
        }) {
            guard epoch.count == replicaEpochLength else { throw StoreError.corrupted("the replica epoch is damaged") }
            return epoch
        }
        let epoch = mint()
        precondition(epoch.count == replicaEpochLength, "a replica epoch has 16 bytes")
        let insert = try Query("INSERT INTO meta(key, value) VALUES('replica_epoch', ?1)", on: database)
        try insert.bind(epoch, at: 1)
        try insert.run()
        return epoch
    }

    /// SQLite would create the file readable for everybody; its other files take after it.
    private static func prepareFile(at path: String) throws(StoreError) {
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            let directory = String(path[..<slash])
            if mkdir(directory, 0o700) != 0, errno != EEXIST { throw failure(errno, at: directory) }
        }
        let file = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard file >= 0 else { throw failure(errno, at: path) }
        defer { Glibc.close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .ioError("\(path) is no file")
        }
    }

    /// Makes an empty file that only its owner reads, before SQLite opens it and would make it readable for everybody.
    /// It is new, so it is no link to another one.
    static func makeFile(at path: String) throws(StoreError) {
        let file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(errno, at: path) }
        Glibc.close(file)
    }

    static func failure(_ code: Int32, at path: String) -> StoreError {
        switch code {
        case ENOSPC, EDQUOT: .diskFull
        case EACCES, EPERM, EROFS, ENOENT, ENOTDIR, EISDIR: .permissionDenied(path: path)
        default: .ioError(String(cString: strerror(code)))
        }
    }

    private static func read<Value>(
        path: String, from queue: DatabaseQueue, _ body: (Database) throws -> Value
    ) throws(StoreError) -> Value {
        try translating(path: path) {
            try queue.inDatabase { database in
                do {
                    return try body(database)
                } catch let error as DatabaseError {
                    throw SQLiteFailure(
                        result: error.extendedResultCode.rawValue, message: error.message ?? "unknown error",
                        systemError: sqlite3_system_errno(database.sqliteConnection))
                }
            }
        }
    }

    private static func translating<Value>(path: String, _ body: () throws -> Value) throws(StoreError) -> Value {
        do {
            return try body()
        } catch let error as StoreError {
            throw error
        } catch let error as SQLiteFailure {
            throw StoreError(
                result: error.result, message: error.message, systemError: error.systemError, path: path)
        } catch let error as DatabaseError {
            throw StoreError(
                result: error.extendedResultCode.rawValue, message: error.message ?? "unknown error", systemError: 0,
                path: path)
        } catch let error as MalformedBytes {
            throw .corrupted(error.description)
        } catch {
            throw .ioError("\(error)")
        }
    }
}
