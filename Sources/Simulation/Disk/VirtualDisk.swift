import Conversations
import Cryptography
import OperationLog
import Storage
import Time

/// A disk in memory that fails on demand: the storage of a simulated node.
///
/// What a transaction wrote is first in a cache; it is safe from a power cut once ``sync()`` was called, which every
/// transaction does before it returns, as SQLite does in WAL mode with `synchronous=FULL`.
final class VirtualDisk {
    /// What is wrong with the disk now.
    enum Condition: String, Hashable, Codable {
        /// Nothing.
        case healthy
        /// No room for another byte; reading works.
        case full
        /// Nothing can be written or read.
        case broken
    }

    /// Where the next transaction is cut off by a loss of power, if it is.
    enum CutPoint: String, Hashable, Codable, CaseIterable {
        /// Before anything was written.
        case beforeWriting
        /// After writing, before it was synced.
        case beforeSyncing
        /// When all of it is safe, before anybody learns of it.
        case afterSyncing
    }

    /// What one person says of one type.
    private struct Series: Hashable {
        let author: UserID
        let type: OperationType
    }

    let replicaEpoch: [UInt8]
    /// What the running node sees.
    private(set) var image = DiskImage()
    /// What survives a power cut, where that is less than ``image``. Kept only while a cut is near: a copy of
    /// everything costs.
    private var durable: DiskImage?
    /// What is wrong.
    var condition = Condition.healthy
    /// Bytes that files may take.
    var quota = 1 << 30
    /// Where the power fails next.
    var cutPoint: CutPoint?
    /// Whether the power failed in the middle of a transaction: the node that waits for it is no more.
    private(set) var isCut = false
    private(set) var transactions = 0
    /// How often an operation was looked up by its name.
    private(set) var lookups = 0

    init(replicaEpoch: [UInt8]) {
        self.replicaEpoch = replicaEpoch
    }

    /// Loses what was not synced.
    func losePower() {
        image = durable ?? image
        durable = nil
        isCut = false
        cutPoint = nil
    }

    /// Puts an old copy in the place of everything.
    func restore(_ image: DiskImage) {
        self.image = image
        durable = nil
    }

    private func sync() { durable = nil }

    func transaction(_ change: (inout DiskImage) -> Void) throws(StoreError) {
        try checkWritable()
        if cutPoint == .beforeWriting { throw cut() }
        if cutPoint != nil { durable = image }
        change(&image)
        transactions += 1
        if cutPoint == .beforeSyncing { throw cut() }
        sync()
        if cutPoint == .afterSyncing { throw cut() }
    }

    func checkWritable() throws(StoreError) {
        switch condition {
        case .healthy: if isCut { throw .ioError("the power is off") }
        case .full: throw .diskFull
        case .broken: throw .ioError("the simulated disk is broken")
        }
    }

    private func cut() -> StoreError {
        isCut = true
        return .ioError("the power is off")
    }

    func checkReadable() throws(StoreError) {
        if condition == .broken { throw .ioError("the simulated disk is broken") }
    }
}

extension VirtualDisk: ReplicaStorage {
    /// Finds content operations in the image as it is when it is asked.
    struct Index: OperationIndex {
        let disk: VirtualDisk
        let conversation: ConversationID

        func placement(of id: OperationID) throws -> Placement? {
            try disk.checkReadable()
            guard let place = disk.image.conversations[conversation]?.content[id] else { return nil }
            let row = disk.image.rows[place]
            return Placement(row.operation, hybridTime: row.hybridTime)
        }
    }

    func conversations() -> [ConversationRecord] {
        image.order.compactMap { id in
            image.conversations[id].map { ConversationRecord(id: id, root: $0.root) }
        }
    }

    func log(of conversation: ConversationID) throws(StoreError) -> StoredLog {
        try checkReadable()
        let kept = image.conversations[conversation]
        var heads: [Placement] = []
        for id in (kept?.contentHeads ?? []).sorted() {
            let found: Placement?
            do {
                found = try index(of: conversation).placement(of: id)
            } catch {
                throw .ioError("the simulated disk is broken")
            }
            guard let found else { throw .corrupted("a head of the content lane is missing") }
            heads.append(found)
        }
        return StoredLog(
            membership: image.operations(of: conversation, lane: .membership),
            contentFrontier: kept?.frontiers[.content] ?? Frontier(), contentHeads: heads)
    }

    /// Nobody asks a simulated node anything twice.
    func commit(
        _ changes: [LaneCommit], receivedAt time: Timestamp, answering request: ClientRequest?
    ) throws(StoreError) {
        try transaction { for change in changes { $0.insert(change, at: time) } }
    }

    func save(sightings: [UserID: Timestamp]) throws(StoreError) {
        try transaction { image in
            for (user, time) in sightings {
                guard let seen = image.profiles[user] else { continue }
                image.profiles[user] = SeenProfile(card: seen.card, seenAt: max(seen.seenAt, time))
            }
        }
    }

    func open(_ conversation: ConversationID, root: ConversationRoot, at time: Timestamp) throws(StoreError) {
        try transaction { $0.open(conversation, root: root) }
    }

    func index(of conversation: ConversationID) -> Index { Index(disk: self, conversation: conversation) }

    func arrivals(
        of operations: [OperationID], in conversation: ConversationID
    ) throws(StoreError) -> [OperationID: Timestamp] {
        guard !operations.isEmpty else { return [:] }
        try checkReadable()
        let wanted = Set(operations)
        let rows = image.rows.filter { $0.conversation == conversation && wanted.contains($0.operation.id) }
        return Dictionary(rows.map { ($0.operation.id, $0.receivedAt) }) { first, _ in first }
    }

    func contentCount(of conversation: ConversationID) throws(StoreError) -> Int {
        try checkReadable()
        return image.conversations[conversation]?.arrivals[.content]?.count ?? 0
    }

    func serve(
        _ lane: Lane, of conversation: ConversationID, beyond known: [DeviceID: KnownChain]
    ) throws(StoreError) -> ServingCursor {
        try checkReadable()
        let places = image.conversations[conversation]?.arrivals[lane] ?? []
        let held = held(of: places, given: known)
        let wanted = places.filter { place in
            let operation = image.rows[place].operation
            switch known[operation.author.id] ?? .through(0) {
            case .through(let number): return operation.header.sequenceNumber > number
            case .branches: return !held.contains(operation.id)
            }
        }
        return ServingCursor(conversation: conversation, lane: lane, arrivals: wanted.map(Int64.init))
    }

    func serve(
        membership operations: [OperationID], of conversation: ConversationID
    ) throws(StoreError) -> ServingCursor {
        try checkReadable()
        let wanted = Set(operations)
        let places = image.conversations[conversation]?.arrivals[.membership] ?? []
        return ServingCursor(
            conversation: conversation, lane: .membership,
            arrivals: places.filter { wanted.contains(image.rows[$0].operation.id) }.map(Int64.init))
    }

    /// The operations that precede the ends of branches that a peer names.
    private func held(of places: [Int], given known: [DeviceID: KnownChain]) -> Set<OperationID> {
        var previous: [OperationID: OperationID] = [:]
        for place in places {
            let operation = image.rows[place].operation
            previous[operation.id] = operation.header.previous
        }
        var held: Set<OperationID> = []
        for case .branches(let ends) in known.values {
            for end in ends {
                var next: OperationID? = end
                while let id = next, held.insert(id).inserted { next = previous[id] }
            }
        }
        return held
    }

    func nextBatch(_ cursor: inout ServingCursor) throws(StoreError) -> Batch? {
        try checkReadable()
        var assembly = BatchAssembly(lane: cursor.lane)
        var taken: [Int64] = []
        for place in cursor.stretches.joined() {
            guard !assembly.isFull, assembly.append(image.rows[Int(place)].operation) else { break }
            taken.append(place)
        }
        guard !taken.isEmpty else { return nil }
        guard let batch = assembly.finish() else { throw .corrupted("a chain ends without a signature") }
        cursor.advance(past: taken[batch.operations.count - 1])
        return batch
    }

    func credentials() throws(StoreError) -> [Credentials] {
        try checkReadable()
        return image.credentials.values.sorted { $0.user < $1.user }
    }

    func forget(_ users: [UserID]) throws(StoreError) {
        try transaction { image in
            for user in users {
                image.credentials[user] = nil
                image.tombstones[user] = nil
                image.profiles[user] = nil
            }
        }
    }

    func tombstones() throws(StoreError) -> [Tombstone] {
        try checkReadable()
        return image.tombstones.values.flatMap(\.all)
    }

    func save(_ tombstones: [Tombstone]) throws(StoreError) {
        try transaction { image in
            for tombstone in tombstones { image.tombstones[tombstone.user, default: Tombstones()].insert(tombstone) }
        }
    }

    func save(_ credentials: Credentials) throws(StoreError) {
        try transaction { $0.credentials[credentials.user] = credentials }
    }

    func operation(_ id: OperationID, of conversation: ConversationID) throws(StoreError) -> OperationLog.Operation? {
        lookups += 1
        try checkReadable()
        return image.conversations[conversation]?.content[id].map { image.rows[$0].operation }
    }

    func fill(
        _ bodies: [(id: OperationID, body: [UInt8])], keys: [OperationID: [UInt8]], erasing takenBack: [OperationID],
        in conversation: ConversationID
    ) throws(StoreError) {
        try transaction { image in
            image.fill(bodies, keys: keys, in: conversation)
            image.erase(takenBack, in: conversation)
        }
    }

    func encryption(of conversation: ConversationID) throws(StoreError) -> StoredEncryption {
        try checkReadable()
        let kept = image.conversations[conversation]
        let content = image.operations(of: conversation, lane: .content)
        return StoredEncryption(
            operations: content.filter { !$0.header.type.isClosed }, keys: kept?.epochKeys ?? [:],
            erased: kept?.erasedKeys ?? [],
            wanted: content.filter { kept?.wanted.contains($0.id) == true }.map(WantedBody.init))
    }

    func annotations(
        of messages: [OperationID], in conversation: ConversationID, fromEachEnd limit: Int?
    ) throws(StoreError) -> [OperationID: [AdmittedOperation]] {
        try checkReadable()
        let links = image.conversations[conversation]?.links ?? [:]
        var found: [OperationID: [AdmittedOperation]] = [:]
        for row in image.annotations(in: conversation) {
            guard case .message(let target) = links[row.operation.id], messages.contains(target),
                limit == nil || !image.withholds(row.operation.id, in: conversation)
            else { continue }
            let placement = Placement(row.operation, hybridTime: row.hybridTime)
            found[target, default: []].append(AdmittedOperation(row.operation, admittedAt: placement))
        }
        guard let limit else { return found }
        return found.mapValues { annotations in
            Dictionary(grouping: annotations) {
                Series(author: $0.operation.author.user, type: $0.operation.header.type)
            }
            .values.flatMap { series in
                let order = series.map { (place: ($0.hybridTime, $0.operation.id), $0) }
                    .sorted { $0.place < $1.place }.map(\.1)
                return order.prefix(limit) + order.dropFirst(limit).suffix(limit)
            }
        }
    }

    func unopenedAnnotations(
        of conversation: ConversationID, under epochs: Set<OperationID>?
    ) throws(StoreError) -> [OperationLog.Operation] {
        try checkReadable()
        let links = image.conversations[conversation]?.links ?? [:]
        return image.annotations(in: conversation).map(\.operation).filter { annotation in
            links[annotation.id] == nil
                && (epochs.map { annotation.header.epoch.map($0.contains) ?? false } ?? true)
        }
    }

    func link(
        _ links: [OperationID: AnnotationLink], erasing takenBack: [OperationID], in conversation: ConversationID
    ) throws(StoreError) {
        try transaction { image in
            image.conversations[conversation]?.links.merge(links) { $1 }
            image.erase(takenBack, in: conversation)
        }
    }

    func deletions(
        of type: OperationType, in conversation: ConversationID
    ) throws(StoreError) -> [OperationID: Timestamp] {
        try checkReadable()
        let links = image.conversations[conversation]?.links ?? [:]
        var found: [OperationID: Timestamp] = [:]
        for row in image.annotations(in: conversation) where row.operation.header.type == .delete {
            guard case .message(let target) = links[row.operation.id],
                let message = try operation(target, of: conversation), message.header.type == type,
                message.body != nil || image.wants(target, in: conversation),
                !image.withholds(target, in: conversation)
            else { continue }
            found[target] = min(found[target] ?? row.receivedAt, row.receivedAt)
        }
        return found
    }

    func pinTargets(in conversation: ConversationID) throws(StoreError) -> [OperationID] {
        try checkReadable()
        let links = image.conversations[conversation]?.links ?? [:]
        let targets = image.annotations(in: conversation).compactMap { row -> OperationID? in
            guard row.operation.header.type == .pin, case .message(let target) = links[row.operation.id] else {
                return nil
            }
            return target
        }
        return Set(targets).sorted()
    }

    func files(in conversation: ConversationID) throws(StoreError) -> [AdmittedOperation] {
        try checkReadable()
        return image.annotations(in: conversation).filter { row in
            row.operation.header.type == .file && !image.withholds(row.operation.id, in: conversation)
        }.map { row in
            AdmittedOperation(
                row.operation, admittedAt: Placement(row.operation, hybridTime: row.hybridTime))
        }
    }

    func wrapSecrets() throws(StoreError) -> [SealedWrapSecret] {
        try checkReadable()
        return image.wrapSecrets.values.sorted { $0.counter < $1.counter }
    }

    func save(_ secret: SealedWrapSecret) throws(StoreError) {
        try transaction { $0.wrapSecrets[secret.counter] = secret }
    }

    func eraseWrapSecret(_ counter: UInt64) throws(StoreError) {
        try transaction { $0.wrapSecrets[counter] = nil }
    }

    func retentions() throws(StoreError) -> [ConversationID: RetentionPeriod] {
        try checkReadable()
        return image.conversations.compactMapValues(\.retention)
    }

    func setRetention(_ period: RetentionPeriod?, of conversation: ConversationID) throws(StoreError) {
        try transaction { $0.setRetention(period, of: conversation) }
    }

    func heldDecisions() throws(StoreError) -> [ConversationID: UInt64] {
        try checkReadable()
        return image.conversations.compactMapValues(\.heldDecisions)
    }

    func save(heldDecisions sequenceNumber: UInt64, of conversation: ConversationID) throws(StoreError) {
        try transaction { $0.conversations[conversation]?.heldDecisions = sequenceNumber }
    }

    func dismiss(_ operations: [OperationID], in conversation: ConversationID) throws(StoreError) {
        try transaction { $0.erase(operations, in: conversation) }
    }

    func expire(
        before time: Timestamp, at now: Timestamp, in conversation: ConversationID, limit: Int
    ) throws(StoreError) -> [OperationID] {
        try checkReadable()
        let old = image.content(of: conversation)
            .filter { row in
                row.hybridTime < time.milliseconds
                    || row.hybridTime > now.milliseconds && row.receivedAt < time
            }
            .filter { row in
                row.operation.body != nil || image.wants(row.operation.id, in: conversation)
                    || image.declines(row.operation.id, in: conversation)
                    || image.withholds(row.operation.id, in: conversation)
            }
            .sorted { ($0.hybridTime, $0.operation.id) < ($1.hybridTime, $1.operation.id) }
            .prefix(limit).map(\.operation.id)
        try transaction { $0.erase(old, in: conversation) }
        return old
    }

    func erase(_ operations: [OperationID], in conversation: ConversationID) throws(StoreError) {
        try transaction { $0.erase(operations, in: conversation) }
    }

    @discardableResult
    func withhold(
        _ withheld: [OperationID], showing shown: [OperationID], in conversation: ConversationID
    ) throws(StoreError) -> [OperationID] {
        let before = shown.filter { image.withholds($0, in: conversation) }
        try transaction { $0.withhold(withheld, showing: shown, in: conversation) }
        return before
    }

    func withheld(of device: DeviceID, in conversation: ConversationID) throws(StoreError) -> [OperationLog.Operation] {
        try checkReadable()
        return image.content(of: conversation).map(\.operation)
            .filter { $0.author.id == device && image.withholds($0.id, in: conversation) }
    }

    func epochsInUse(in conversation: ConversationID) throws(StoreError) -> Set<OperationID> {
        try checkReadable()
        return Set(
            image.content(of: conversation)
                .filter {
                    $0.operation.body != nil || image.wants($0.operation.id, in: conversation)
                        || image.declines($0.operation.id, in: conversation)
                        || image.withholds($0.operation.id, in: conversation)
                }
                .compactMap(\.operation.header.epoch))
    }

    func eraseEpochKeys(_ epochs: [OperationID], in conversation: ConversationID) throws(StoreError) {
        try transaction { image in
            for epoch in epochs where image.conversations[conversation]?.epochKeys.removeValue(forKey: epoch) != nil {
                image.conversations[conversation]?.erasedKeys.insert(epoch)
            }
        }
    }

    func profile(of user: UserID) throws(StoreError) -> SeenProfile? {
        try checkReadable()
        return image.profiles[user]
    }

    func profiles() throws(StoreError) -> [SeenProfile] {
        try checkReadable()
        return image.profiles.values.sorted { $0.card.user < $1.card.user }
    }

    func save(_ card: ProfileCard, seenAt time: Timestamp) throws(StoreError) -> Bool {
        let held = image.profiles[card.user]
        let isNew = held.map { $0.card != card && !$0.card.supersedes(card) } ?? true
        let seen = SeenProfile(card: isNew ? card : held?.card ?? card, seenAt: max(time, held?.seenAt ?? time))
        try transaction { $0.profiles[card.user] = seen }
        return isNew
    }

    func save(passedOn cards: [ProfileCard]) throws(StoreError) {
        try transaction { image in
            for card in cards {
                image.profiles[card.user] = SeenProfile(
                    card: card, seenAt: image.profiles[card.user]?.seenAt ?? .earliest)
            }
        }
    }

    func preferences() throws(StoreError) -> [ConversationID: [UInt8]] {
        try checkReadable()
        return image.preferences
    }

    func save(preferences sealed: [ConversationID: [UInt8]]) throws(StoreError) {
        try transaction { $0.preferences.merge(sealed) { $1 } }
    }

    func personMarks() throws(StoreError) -> [Digest: [UInt8]] {
        try checkReadable()
        return image.personMarks
    }

    func save(personMarks sealed: [Digest: [UInt8]], forgetting names: [Digest]) throws(StoreError) {
        try transaction { image in
            image.personMarks.merge(sealed) { $1 }
            for name in names { image.personMarks[name] = nil }
        }
    }

    func readMarks(in conversation: ConversationID) throws(StoreError) -> [DeviceID: UInt64] {
        try checkReadable()
        return image.readMarks(in: conversation)
    }

    func firstUnread(
        behind place: MessagePosition, in conversation: ConversationID
    ) throws(StoreError) -> [DeviceID: UInt64] {
        try checkReadable()
        return image.firstUnread(behind: place, in: conversation)
    }

    func markRead(_ marks: [DeviceID: UInt64], in conversation: ConversationID) throws(StoreError) {
        try transaction { $0.conversations[conversation]?.readMarks.merge(marks) { max($0, $1) } }
    }

    func receipts(of conversation: ConversationID) throws(StoreError) -> [StoredReceipt] {
        try checkReadable()
        return (image.conversations[conversation]?.receipts ?? [:]).sorted { $0.key < $1.key }.map(\.value)
    }

    func save(_ receipts: [StoredReceipt], of conversation: ConversationID) throws(StoreError) {
        try transaction { image in
            for receipt in receipts {
                image.conversations[conversation]?.receipts[receipt.record.device.id] = receipt
            }
        }
    }

    func copyEvidence() throws(StoreError) -> OperationID? {
        try checkReadable()
        return image.copyEvidence
    }

    func save(copyEvidence operation: OperationID?) throws(StoreError) {
        try transaction { $0.copyEvidence = operation }
    }

    func note(address: String, of device: DeviceID, success time: Timestamp?) throws(StoreError) {
        try transaction { image in
            let known = image.addresses.first { $0.device == device && $0.address == address }
            image.addresses.removeAll { $0.device == device && $0.address == address }
            image.addresses.append(
                KnownAddress(device: device, address: address, lastSuccess: time ?? known?.lastSuccess))
        }
    }

    func addresses() throws(StoreError) -> [KnownAddress] {
        try checkReadable()
        let rank = { (known: KnownAddress) in -(known.lastSuccess?.milliseconds ?? -1) }
        return image.addresses.sorted { ($0.device, rank($0), $0.address) < ($1.device, rank($1), $1.address) }
    }

    func note(meetingPlace address: String?, of device: DeviceID) throws(StoreError) {
        try transaction { $0.meetingPlaces[device] = address }
    }

    func meetingPlaces() throws(StoreError) -> [DeviceID: String] {
        try checkReadable()
        return image.meetingPlaces
    }
}
