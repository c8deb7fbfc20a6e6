import GRDB
import Storage

/// The tables, and the steps that lead to them from every released version.
///
/// `PRAGMA user_version` counts the steps a file has taken, and `PRAGMA application_id` says that they are steps of a
/// release: what was written before the first one has none. A step is never changed once released; a change is a new
/// step.
enum Schema {
    /// The version this code reads and writes.
    static var version: Int { steps.count }

    /// "Moot".
    private static let application = 0x4D6F_6F74

    /// What each version added.
    static let steps = [
        """
        CREATE TABLE meta(key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;

        -- A direct conversation names its two users; a group does not.
        CREATE TABLE conversations(
            n INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, low BLOB, high BLOB, opened_at INTEGER NOT NULL);
        -- The heads of content lanes.
        CREATE TABLE heads(
            conversation INTEGER NOT NULL, id BLOB NOT NULL, PRIMARY KEY(conversation, id)) WITHOUT ROWID;

        -- Operations name a device by a small number.
        CREATE TABLE devices(n INTEGER PRIMARY KEY, user BLOB NOT NULL, key BLOB NOT NULL, UNIQUE(user, key));

        -- `n` counts in the order of arrival, which extends the causal order. `header` is what was signed, as far as the
        -- columns do not imply it. `epoch` is the `n` of the epoch it names. `availability` says where the body is: 0 here,
        -- 1 closed to this device, 2 wanted, 3 deleted by somebody, 4 expired, 5 declined, 6 withheld because the device was revoked.
        CREATE TABLE operations(
            n INTEGER PRIMARY KEY, conversation INTEGER NOT NULL, lane INTEGER NOT NULL, device INTEGER NOT NULL,
            sequence INTEGER NOT NULL, type INTEGER NOT NULL, effective_time INTEGER NOT NULL,
            received_at INTEGER NOT NULL, epoch INTEGER, availability INTEGER NOT NULL, id BLOB NOT NULL,
            header BLOB NOT NULL, body BLOB, signature BLOB);
        CREATE INDEX operations_by_chain ON operations(conversation, lane, device, sequence, type, availability);
        -- Eight bytes of an id are enough to find it. Ids are random, so a plain index over a million of them would have every
        -- page rewritten by every large commit: here a commit touches the index of the newest 32,768 arrivals only.
        CREATE INDEX operations_by_id ON operations(n >> 15, substr(id, 1, 8));
        -- What is closed, withheld or has expired is not shown, however much of it there is.
        CREATE INDEX content_by_time ON operations(conversation, effective_time, type)
            WHERE lane = 1 AND type NOT BETWEEN 33 AND 35 AND availability NOT IN (1, 4, 6);
        CREATE INDEX declined_by_arrival ON operations(conversation, n) WHERE availability = 5;
        CREATE INDEX withheld_by_device ON operations(conversation, device, n) WHERE availability = 6;
        CREATE INDEX epochs_by_arrival ON operations(conversation, n) WHERE type BETWEEN 33 AND 35;

        -- The ends of every chain: several where its device forked it.
        CREATE TABLE tips(
            conversation INTEGER NOT NULL, lane INTEGER NOT NULL, device INTEGER NOT NULL, sequence INTEGER NOT NULL,
            id BLOB NOT NULL, PRIMARY KEY(conversation, lane, device, sequence, id)) WITHOUT ROWID;

        -- Secrets are sealed under the key of the home; each is bound to its table and row. NULL stands where one was erased.
        CREATE TABLE epoch_keys(
            conversation INTEGER NOT NULL, epoch BLOB NOT NULL, sealed BLOB,
            PRIMARY KEY(conversation, epoch)) WITHOUT ROWID;
        CREATE TABLE wrap_keys(
            counter INTEGER PRIMARY KEY, sealed BLOB NOT NULL, made_at INTEGER NOT NULL, retired_at INTEGER);
        CREATE TABLE wanted(
            conversation INTEGER NOT NULL, operation BLOB NOT NULL, PRIMARY KEY(conversation, operation)) WITHOUT ROWID;

        CREATE TABLE credentials(user BLOB PRIMARY KEY, records BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE profiles(user BLOB PRIMARY KEY, card BLOB NOT NULL, seen_at INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE addresses(
            device BLOB NOT NULL, address TEXT NOT NULL, last_success INTEGER,
            PRIMARY KEY(device, address)) WITHOUT ROWID;
        -- Where devices were met last, as host:port.
        CREATE TABLE meeting_places(device BLOB PRIMARY KEY, address TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE read_marks(
            conversation INTEGER NOT NULL, device INTEGER NOT NULL, sequence INTEGER NOT NULL,
            PRIMARY KEY(conversation, device)) WITHOUT ROWID;
        CREATE TABLE settings(key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
        -- The devices that their users took out, each with the statement that their root signed.
        CREATE TABLE tombstones(
            user BLOB NOT NULL, device BLOB NOT NULL, statement BLOB NOT NULL, PRIMARY KEY(user, device)) WITHOUT ROWID;
        -- For how many days bodies are kept, where not forever.
        CREATE TABLE retention(conversation INTEGER PRIMARY KEY, days INTEGER NOT NULL);
        -- A row for each annotation whose body is here. `target` is the message it is about; NULL where it has not been
        -- opened yet, empty where it is about none. What one person says about one message is found from either end, however much it is: a person
        -- has the number of the first of their devices that is here, below 0 for what is withheld; `time` is the hybrid time, and `branch` the
        -- first bytes of the id.
        CREATE TABLE annotations(
            n INTEGER PRIMARY KEY, conversation INTEGER NOT NULL, target BLOB, person INTEGER, type INTEGER, time INTEGER,
            branch BLOB);
        CREATE INDEX annotations_by_target ON annotations(target, conversation, person, type, time, branch)
            WHERE target IS NOT NULL;
        CREATE INDEX unopened_annotations ON annotations(conversation) WHERE target IS NULL;
        CREATE INDEX deletes_by_arrival ON operations(conversation, n) WHERE type = 37;
        CREATE INDEX pins_by_arrival ON operations(conversation, n) WHERE type = 39;
        CREATE INDEX files_by_arrival ON operations(conversation, n) WHERE type = 40;
        -- What the user keeps for themselves about conversations, which need not be here; sealed like a key.
        CREATE TABLE private_states(conversation BLOB PRIMARY KEY, sealed BLOB NOT NULL);
        -- The same about people. `name` is a hash under the key of the home of whom it is about.
        CREATE TABLE person_marks(name BLOB PRIMARY KEY, sealed BLOB NOT NULL) WITHOUT ROWID;
        -- What the devices of a conversation say they received and read, each as the device signed it; `steps` is when it reached
        -- what was written here.
        CREATE TABLE receipts(
            conversation INTEGER NOT NULL, device BLOB NOT NULL, record BLOB NOT NULL, steps BLOB NOT NULL,
            PRIMARY KEY(conversation, device)) WITHOUT ROWID;
        -- How many bytes the closed bodies of a device take that are here or wanted.
        CREATE TABLE shares(
            conversation INTEGER NOT NULL, device INTEGER NOT NULL, bytes INTEGER NOT NULL,
            PRIMARY KEY(conversation, device)) WITHOUT ROWID;
        -- How many messages of a device have an hybrid time in a quarter of an hour, counted from 1970, and their bodies here.
        CREATE TABLE message_counts(
            conversation INTEGER NOT NULL, quarter INTEGER NOT NULL, device INTEGER NOT NULL, messages INTEGER NOT NULL,
            PRIMARY KEY(conversation, quarter, device)) WITHOUT ROWID;
        -- What clients sent under names of their own. `name` is a hash of the conversation and that name, `sealed` says what was
        -- sent, `first` and `last` are the rows of `operations` that it made.
        CREATE TABLE requests(
            n INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE, sealed BLOB NOT NULL, first INTEGER NOT NULL,
            last INTEGER NOT NULL, made_at INTEGER NOT NULL);
        CREATE INDEX requests_by_time ON requests(made_at);
        -- How far others are known to hold this device's own chain in the membership lane.
        CREATE TABLE held_decisions(conversation INTEGER PRIMARY KEY, sequence INTEGER NOT NULL);
        """
    ]

    /// The version of a file that can be carried over to this one; nil for a file that is new, or has this version
    /// already.
    ///
    /// - Throws: ``StoreError`` for a file that this program can do nothing with.
    static func outdatedVersion(of database: Database, _ steps: [String] = steps) throws -> Int? {
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let isOfRelease = try Int.fetchOne(database, sql: "PRAGMA application_id") == application
        guard isOfRelease, found > 0 else {
            if try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") == 0 { return nil }
            guard !isOfRelease, found > 0, try database.tableExists("operations") else {
                throw StoreError.corrupted("it is the database of another program")
            }
            throw StoreError.beforeRelease(program: try? program(of: database))
        }
        guard found <= steps.count else {
            throw StoreError.newerVersion(found: found, supported: steps.count, program: try? program(of: database))
        }
        return found == steps.count ? nil : found
    }

    /// Takes the steps that a file has not taken yet, all of them in one transaction: either the file is of this
    /// version afterwards, or it is what it was.
    static func migrate(_ database: Database, by steps: [String] = steps) throws {
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard found < steps.count else { return }
        try database.inTransaction(.immediate) {
            for step in steps.dropFirst(found) { try database.execute(sql: step) }
            try database.execute(
                sql: "PRAGMA user_version = \(steps.count); PRAGMA application_id = \(application)")
            return .commit
        }
    }

    /// The program that opened the file last; nil where it did not say.
    private static func program(of database: Database) throws -> String? {
        try String.fetchOne(database, sql: "SELECT value FROM meta WHERE key = 'program'")
    }

    /// Says in the file which program can open it, for an older one that cannot.
    static func note(program: String, in database: Database) throws {
        guard try self.program(of: database) != program else { return }
        try database.execute(
            sql: "INSERT OR REPLACE INTO meta(key, value) VALUES('program', ?)", arguments: [program])
    }
}
