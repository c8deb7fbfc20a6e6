import GRDB
import OperationLog
import Storage
import Time

extension ReplicaStore {
    /// Keeps what counts for a person now, in the place of what was kept of them before.
    public func save(_ credentials: Credentials) throws(StoreError) {
        try transaction { database in
            let upsert = try Query(
                """
                INSERT INTO credentials(user, records) VALUES(?1, ?2)
                ON CONFLICT(user) DO UPDATE SET records = excluded.records
                """, on: database)
            try upsert.bind(credentials.user, at: 1)
            try upsert.bind(credentials.encoded, at: 2)
            try upsert.run()
        }
    }

    /// What is known of the devices of everybody, by user. Costs a signature check for each record.
    public func credentials() throws(StoreError) -> [Credentials] {
        try access { database in
            try Query("SELECT records FROM credentials ORDER BY user", on: database)
                .map { try Credentials(verifying: $0.bytes(0)) }
        }
    }

    /// The devices that their users took out. Costs a signature check for each.
    public func tombstones() throws(StoreError) -> [Tombstone] {
        try access { database in
            try Query("SELECT statement FROM tombstones ORDER BY user, device", on: database)
                .map { try Tombstone(verifying: $0.bytes(0)) }
        }
    }

    /// Keeps that devices were taken out, in the place of what was kept of these devices, and of each user no more than
    /// count.
    public func save(_ tombstones: [Tombstone]) throws(StoreError) {
        try transaction { database in
            let upsert = try Query(
                """
                INSERT INTO tombstones(user, device, statement) VALUES(?1, ?2, ?3)
                ON CONFLICT(user, device) DO UPDATE SET statement = excluded.statement
                """, on: database)
            for tombstone in tombstones {
                try upsert.bind(tombstone.user, at: 1)
                try upsert.bind(tombstone.device, at: 2)
                try upsert.bind(tombstone.encoded, at: 3)
                try upsert.run()
            }
            let trim = try Query(
                """
                DELETE FROM tombstones WHERE user = ?1 AND device NOT IN
                    (SELECT device FROM tombstones WHERE user = ?1 ORDER BY device LIMIT \(Tombstones.maximumCount))
                """, on: database)
            for user in Set(tombstones.map(\.user)) {
                try trim.bind(user, at: 1)
                try trim.run()
            }
        }
    }

    /// Keeps a profile card unless one that supersedes it is here, and notes when its owner was seen.
    ///
    /// - Returns: whether it is the one that counts now and did not before.
    @discardableResult
    public func save(_ card: ProfileCard, seenAt time: Timestamp) throws(StoreError) -> Bool {
        let held = try profile(of: card.user)?.card
        let isNew = held.map { $0 != card && !$0.supersedes(card) } ?? true
        try transaction { database in
            let upsert = try Query(
                """
                INSERT INTO profiles(user, card, seen_at) VALUES(?1, ?2, ?3)
                ON CONFLICT(user) DO UPDATE SET card = excluded.card, seen_at = max(seen_at, excluded.seen_at)
                """, on: database)
            try upsert.bind(card.user, at: 1)
            try upsert.bind(isNew ? card.encoded : held?.encoded, at: 2)
            try upsert.bind(time.milliseconds, at: 3)
            try upsert.run()
        }
        return isNew
    }

    /// Keeps cards that others passed on, in one transaction; says nothing of when their owners were seen.
    public func save(passedOn cards: [ProfileCard]) throws(StoreError) {
        try transaction { database in
            let upsert = try Query(
                """
                INSERT INTO profiles(user, card, seen_at) VALUES(?1, ?2, ?3)
                ON CONFLICT(user) DO UPDATE SET card = excluded.card
                """, on: database)
            for card in cards {
                try upsert.bind(card.user, at: 1)
                try upsert.bind(card.encoded, at: 2)
                try upsert.bind(Timestamp.earliest.milliseconds, at: 3)
                try upsert.run()
            }
        }
    }

    /// The profile that counts for a user, or nil if none is known. Costs two signature checks.
    public func profile(of user: UserID) throws(StoreError) -> SeenProfile? {
        try access { database in
            let select = try Query("SELECT card, seen_at FROM profiles WHERE user = ?1", on: database)
            try select.bind(user, at: 1)
            return try select.first { try Self.profile(in: $0) }
        }
    }

    /// All profiles, by user. Costs two signature checks each.
    public func profiles() throws(StoreError) -> [SeenProfile] {
        try access { database in
            try Query("SELECT card, seen_at FROM profiles ORDER BY user", on: database).map { try Self.profile(in: $0) }
        }
    }

    /// Keeps when people were last seen whose cards are kept; an earlier time than is known changes nothing.
    public func save(sightings: [UserID: Timestamp]) throws(StoreError) {
        try transaction { database in
            let update = try Query(
                "UPDATE profiles SET seen_at = max(seen_at, ?2) WHERE user = ?1", on: database)
            for (user, time) in sightings {
                try update.bind(user, at: 1)
                try update.bind(time.milliseconds, at: 2)
                try update.run()
            }
        }
    }

    /// Forgets the cards and the devices of users, those taken out among them.
    public func forget(_ users: [UserID]) throws(StoreError) {
        try transaction { database in
            for table in ["credentials", "profiles", "tombstones"] {
                let delete = try Query("DELETE FROM \(table) WHERE user = ?1", on: database)
                for user in users {
                    try delete.bind(user, at: 1)
                    try delete.run()
                }
            }
        }
    }

    private static func profile(in row: QueryRow) throws -> SeenProfile {
        SeenProfile(card: try ProfileCard(verifying: row.bytes(0)), seenAt: Timestamp(clamping: row.number(1)))
    }
}
