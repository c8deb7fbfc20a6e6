import Cryptography
import GRDB
import OperationLog
import Storage
import Time

extension ReplicaStore {
    /// The annotations that lead to some messages, by message, in no order.
    ///
    /// - Parameter limit: of those of one person and one type about one message that are not withheld, how many of the
    ///   first and how many of the last ones, in the order of messages; nil for all, also what is withheld.
    /// - Complexity: O(*m* + *n*) for *m* messages with *n* annotations that are found, whatever the size of the
    ///   conversation.
    public func annotations(
        of messages: [OperationID], in conversation: ConversationID, fromEachEnd limit: Int?
    ) throws(StoreError) -> [OperationID: [AdmittedOperation]] {
        guard let number = register[conversation]?.number else { return [:] }
        return try access { database in
            let next = try Query(
                """
                SELECT person, type FROM annotations INDEXED BY annotations_by_target
                WHERE target = ?1 AND conversation = ?2 AND (person, type) > (?3, ?4) ORDER BY person, type LIMIT 1
                """, on: database)
            let series = """
                FROM annotations INDEXED BY annotations_by_target
                WHERE target = ?1 AND conversation = ?2 AND person = ?3 AND type = ?4
                """
            let select = try Query(
                """
                SELECT \(StoredOperation.columns) FROM operations WHERE n IN (
                    SELECT n FROM (SELECT n \(series) ORDER BY time, branch LIMIT ?5)
                    UNION SELECT n FROM (SELECT n \(series) ORDER BY time DESC, branch DESC LIMIT ?5))
                """, on: database)
            for query in [next, select] { try query.bind(number, at: 2) }
            try select.bind(limit.map { Int64($0) } ?? -1, at: 5)
            let reading = try StoredOperation(using: register, on: database)
            var found: [OperationID: [AdmittedOperation]] = [:]
            for message in messages {
                for query in [next, select] { try query.bind(message, at: 1) }
                // What is withheld has a person below 0.
                var (person, type): (Int64, Int64) = (limit == nil ? .min : 0, -1)
                while true {
                    try next.bind(person, at: 3)
                    try next.bind(type, at: 4)
                    guard let following = try next.first({ ($0.number(0), $0.number(1)) }) else { break }
                    (person, type) = following
                    try select.bind(person, at: 3)
                    try select.bind(type, at: 4)
                    found[message, default: []] += try select.map { row in
                        let operation = try reading.read(row)
                        let time = StoredOperation.hybridTime(in: row)
                        return AdmittedOperation(operation, admittedAt: Placement(operation, hybridTime: time))
                    }
                }
            }
            return found
        }
    }

    /// The annotations whose bodies are here and of which it was never said where they lead.
    ///
    /// - Parameter epochs: only those that name one of these; nil for all.
    /// - Complexity: O(*n*) in those of the conversation: about 1 µs each, and 3 µs for each that is found.
    public func unopenedAnnotations(
        of conversation: ConversationID, under epochs: Set<OperationID>?
    ) throws(StoreError) -> [Operation] {
        guard let number = register[conversation]?.number else { return [] }
        return try access { database in
            let select = try Query(
                """
                SELECT \(StoredOperation.columns) FROM operations
                WHERE (?2 IS NULL OR epoch IN (SELECT value FROM json_each(?2))) AND n IN (
                    SELECT n FROM annotations INDEXED BY unopened_annotations WHERE conversation = ?1 AND target IS NULL)
                """, on: database)
            try select.bind(number, at: 1)
            if let epochs {
                let numbers = epochs.compactMap(register.number).sorted().map(String.init)
                try select.bind("[" + numbers.joined(separator: ",") + "]", at: 2)
            } else {
                try select.bindNull(at: 2)
            }
            let reading = try StoredOperation(using: register, on: database)
            return try select.map { try reading.read($0) }
        }
    }

    /// Keeps where annotations lead, and erases what they take back, in one transaction.
    public func link(
        _ links: [OperationID: AnnotationLink], erasing takenBack: [OperationID], in conversation: ConversationID
    ) throws(StoreError) {
        guard let number = register[conversation]?.number else { return }
        let register = register
        try transaction { database in
            let update = try Query(
                """
                UPDATE annotations SET target = ?1 WHERE conversation = ?2 AND n = (
                    SELECT n FROM \(StoredOperation.byID) WHERE substr(id, 1, 8) = substr(?3, 1, 8) AND id = ?3)
                """, on: database)
            try update.bind(number, at: 2)
            for (annotation, link) in links.sorted(by: { $0.key < $1.key }) {
                try update.bind(link, at: 1)
                try update.bind(annotation, at: 3)
                try update.run()
            }
            try TextIndex.forget(links.values.compactMap(\.target).sorted(), on: database)
            try Self.erase(takenBack, of: number, on: database, using: register)
        }
        clearLog(isDue: !takenBack.isEmpty)
    }

    /// The operations of a type whose bodies are here or wanted and to which operations lead that delete, with when the
    /// first such operation came in; whether they count, others say.
    ///
    /// - Complexity: O(*n*) in those operations, about 10 µs each.
    public func deletions(
        of type: OperationType, in conversation: ConversationID
    ) throws(StoreError) -> [OperationID: Timestamp] {
        guard let number = register[conversation]?.number else { return [:] }
        return try access { database in
            let select = try Query(
                """
                SELECT target, min(received_at) FROM operations INDEXED BY deletes_by_arrival
                    JOIN annotations ON annotations.n = operations.n
                WHERE operations.conversation = ?1 AND operations.type = 37 AND length(target) = \(Digest.byteCount)
                GROUP BY target
                """, on: database)
            try select.bind(number, at: 1)
            let find = try Query(
                """
                SELECT 1 FROM \(StoredOperation.byID)
                WHERE substr(id, 1, 8) = substr(?1, 1, 8) AND id = ?1 AND conversation = ?2 AND type = ?3
                    AND availability IN (0, 2)
                """, on: database)
            try find.bind(number, at: 2)
            try find.bind(Int64(type.rawValue), at: 3)
            var found: [OperationID: Timestamp] = [:]
            try select.forEachRow { row in
                let target: OperationID = try row.identifier(0)
                try find.bind(target, at: 1)
                if try find.first({ _ in true }) != nil { found[target] = Timestamp(clamping: row.number(1)) }
                return true
            }
            return found
        }
    }

    /// The message that an annotation is about, also where its body was erased; nil where that was never known.
    public func target(of annotation: OperationID, in conversation: ConversationID) throws(StoreError) -> OperationID? {
        guard let number = register[conversation]?.number else { return nil }
        return try access { database in
            let select = try Query(
                """
                SELECT target FROM annotations WHERE conversation = ?1 AND length(target) = \(Digest.byteCount) AND n = (
                    SELECT n FROM \(StoredOperation.byID) WHERE substr(id, 1, 8) = substr(?2, 1, 8) AND id = ?2)
                """, on: database)
            try select.bind(number, at: 1)
            try select.bind(annotation, at: 2)
            return try select.first { try $0.identifier(0) }
        }
    }

    /// The operations that attach files and whose bodies are here, in the order of their arrival.
    ///
    /// - Complexity: O(*n*) in those operations, about 10 µs each.
    public func files(in conversation: ConversationID) throws(StoreError) -> [AdmittedOperation] {
        guard let number = register[conversation]?.number else { return [] }
        return try access { database in
            let select = try Query(
                """
                SELECT \(StoredOperation.columns) FROM operations INDEXED BY files_by_arrival
                WHERE conversation = ?1 AND type = 40 AND availability = 0 ORDER BY n
                """, on: database)
            try select.bind(number, at: 1)
            let reading = try StoredOperation(using: register, on: database)
            return try select.map { row in
                let operation = try reading.read(row)
                let time = StoredOperation.hybridTime(in: row)
                return AdmittedOperation(operation, admittedAt: Placement(operation, hybridTime: time))
            }
        }
    }

    /// The operations that attach files and whose bodies are here, the latest arrivals first, with their arrivals.
    ///
    /// - Parameter arrival: only what came before; nil for all.
    /// - Complexity: O(`limit`), about 2 µs each.
    public func fileArrivals(
        in conversation: ConversationID, before arrival: Int64?, limit: Int
    ) throws(StoreError) -> [(id: OperationID, arrival: Int64)] {
        guard let number = register[conversation]?.number else { return [] }
        return try access { database in
            let select = try Query(
                """
                SELECT id, n FROM operations INDEXED BY files_by_arrival
                WHERE conversation = ?1 AND type = 40 AND availability = 0 AND n < ?2 ORDER BY n DESC LIMIT ?3
                """, on: database)
            try select.bind(number, at: 1)
            try select.bind(arrival ?? .max, at: 2)
            try select.bind(Int64(limit), at: 3)
            return try select.map { (try $0.identifier(0), $0.number(1)) }
        }
    }

    /// What the operations lead to that pin or unpin, in no order.
    ///
    /// - Complexity: O(*n*) in those operations.
    public func pinTargets(in conversation: ConversationID) throws(StoreError) -> [OperationID] {
        guard let number = register[conversation]?.number else { return [] }
        return try access { database in
            let select = try Query(
                """
                SELECT DISTINCT target FROM annotations WHERE length(target) = \(Digest.byteCount) AND n IN (
                    SELECT n FROM operations INDEXED BY pins_by_arrival WHERE conversation = ?1 AND type = 39)
                """, on: database)
            try select.bind(number, at: 1)
            return try select.map { try $0.identifier(0) }
        }
    }
}

extension Query {
    /// Binds where an annotation leads, as the table of annotations keeps it.
    func bind(_ link: AnnotationLink?, at index: Int32) throws(SQLiteFailure) {
        switch link {
        case .message(let target): try bind(target, at: index)
        case .nowhere: try bind([], at: index)
        case nil: try bindNull(at: index)
        }
    }
}

extension AnnotationLink {
    /// The message it leads to; nil if it leads nowhere.
    fileprivate var target: OperationID? {
        switch self {
        case .message(let target): target
        case .nowhere: nil
        }
    }
}

extension [OperationID: AnnotationLink] {
    /// The messages whose texts some of the operations change, ascending.
    func targets(of operations: [AdmittedOperation]) -> [OperationID] {
        guard !isEmpty else { return [] }
        let changes = operations.filter { [.edit, .delete].contains($0.operation.header.type) }
        return Set(changes.compactMap { self[$0.operation.id]?.target }).sorted()
    }
}
