import GRDB
import Storage
import Time

/// Commits in groups: what several transactions changed becomes durable with one flush of the disk.
///
/// A flush costs more than the rows of a message. While a group is open each transaction is a savepoint within it,
/// which still does all or nothing, and what it wrote is seen by whatever is asked next.
extension ReplicaStore {
    /// What is to be put back in memory where a group is not stored.
    struct Group {
        /// The numbers that stood for devices and conversations before it.
        let register: SurrogateKeys
        /// Whether a transaction was part of it.
        var changes = false
    }

    /// Runs `body`, and makes everything that it changed durable at once.
    ///
    /// - Parameter body: does what its caller is ready to take back: nobody may learn of it before this method returns.
    /// - Throws: ``StoreError`` if not all could be stored; then nothing is, as if `body` had not run.
    /// - Complexity: two statements and one flush more than `body`.
    public func together(_ body: () -> Void) throws(StoreError) {
        // What is begun within a group is a part of it.
        guard group == nil else { return body() }
        try access { try $0.beginTransaction(.immediate) }
        group = Group(register: register)
        body()
        let began = ContinuousClock.now
        do throws(StoreError) {
            try access { database in
                // A full disk makes SQLite take back all of it by itself.
                guard database.isInsideTransaction else { throw StoreError.ioError("the group was taken back") }
                try database.commit()
            }
        } catch {
            takeBack()
            throw error
        }
        if group?.changes == true { commitTimes.count(.now - began) }
        group = nil
        clearLog(isDue: false)
    }

    private func takeBack() {
        if let before = group?.register { register = before }
        group = nil
        recent.removeAll()
        // Where this fails, too, the file is lost: whatever is asked next says so.
        try? access { if $0.isInsideTransaction { try $0.rollback() } }
    }

    /// Runs `body` as a part of the open group: all of it or nothing.
    func savepoint(_ body: (Database) throws -> Void) throws(StoreError) {
        group?.changes = true
        try access { database in
            // Without the group what `body` writes would be kept, although the rest of the group is not.
            guard database.isInsideTransaction else { throw StoreError.ioError("the group was taken back") }
            try database.inSavepoint {
                try body(database)
                return .commit
            }
        }
    }
}
