import GRDB
import OperationLog
import Storage
import Time

extension ReplicaStore {
    /// Addresses kept for a device; the least recently useful goes when another comes.
    public static let maximumAddresses = 8

    /// Notes an address of a device.
    ///
    /// - Parameter time: when a connection succeeded, or nil for hearsay, which never replaces a success.
    public func note(address: String, of device: DeviceID, success time: Timestamp?) throws(StoreError) {
        try transaction { database in
            let upsert = try Query(
                """
                INSERT INTO addresses(device, address, last_success) VALUES(?1, ?2, ?3)
                ON CONFLICT(device, address) DO UPDATE
                SET last_success = max(coalesce(last_success, 0), excluded.last_success)
                WHERE excluded.last_success IS NOT NULL
                """, on: database)
            try upsert.bind(device, at: 1)
            try upsert.bind(address, at: 2)
            if let time { try upsert.bind(time.milliseconds, at: 3) }
            try upsert.run()
            let prune = try Query(
                """
                DELETE FROM addresses WHERE device = ?1 AND address NOT IN (
                    SELECT address FROM addresses WHERE device = ?1
                    ORDER BY address = ?2 DESC, last_success DESC, address LIMIT \(Self.maximumAddresses))
                """, on: database)
            try prune.bind(device, at: 1)
            try prune.bind(address, at: 2)
            try prune.run()
        }
    }

    /// All addresses, for each device the one that worked last first.
    public func addresses() throws(StoreError) -> [KnownAddress] {
        try access { database in
            try Query(
                "SELECT device, address, last_success FROM addresses ORDER BY device, last_success DESC, address",
                on: database
            ).map { row in
                KnownAddress(
                    device: try row.identifier(0), address: row.text(1),
                    lastSuccess: row.isNull(2) ? nil : Timestamp(clamping: row.number(2)))
            }
        }
    }

    /// Keeps where a device was met last, `host:port`; nil to forget it.
    public func note(meetingPlace address: String?, of device: DeviceID) throws(StoreError) {
        try transaction { database in
            let query =
                address == nil
                ? try Query("DELETE FROM meeting_places WHERE device = ?1", on: database)
                : try Query("INSERT OR REPLACE INTO meeting_places(device, address) VALUES(?1, ?2)", on: database)
            try query.bind(device, at: 1)
            if let address { try query.bind(address, at: 2) }
            try query.run()
        }
    }

    /// Where devices were met last.
    public func meetingPlaces() throws(StoreError) -> [DeviceID: String] {
        let rows = try access { database in
            try Query("SELECT device, address FROM meeting_places", on: database).map { row in
                (try row.identifier(0) as DeviceID, row.text(1))
            }
        }
        return Dictionary(rows) { first, _ in first }
    }
}
