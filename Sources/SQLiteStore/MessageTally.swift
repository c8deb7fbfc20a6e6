import GRDB

/// Messages that one commit brings, counted before they are written: a commit of thousands changes few counts.
struct MessageTally {
    private struct Place: Hashable {
        let quarterHour: Int64
        let device: Int64
    }

    private var counts: [Place: Int64] = [:]

    /// Counts a message whose body is here.
    mutating func add(at hybridTime: Int64, by device: Int64) {
        counts[Place(quarterHour: hybridTime / MessageCounts.quarterHour, device: device), default: 0] += 1
    }

    /// Adds what was counted to what is stored.
    func store(in conversation: Int64, on database: Database) throws {
        guard !counts.isEmpty else { return }
        let upsert = try Query(
            """
            INSERT INTO message_counts(conversation, quarter, device, messages) VALUES(?1, ?2, ?3, ?4)
            ON CONFLICT(conversation, quarter, device) DO UPDATE SET messages = messages + excluded.messages
            """, on: database)
        try upsert.bind(conversation, at: 1)
        for (place, count) in counts.sorted(by: {
            ($0.key.quarterHour, $0.key.device) < ($1.key.quarterHour, $1.key.device)
        }) {
            try upsert.bind(place.quarterHour, at: 2)
            try upsert.bind(place.device, at: 3)
            try upsert.bind(count, at: 4)
            try upsert.run()
        }
    }
}
