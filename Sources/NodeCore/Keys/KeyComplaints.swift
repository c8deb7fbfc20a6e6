import Conversations
import Cryptography
import OperationLog
import Replication
import Time

/// Knows of which keys to complain, and whose complaints to answer when.
///
/// A liar can make a node owe much of both: with false keys complaints, with false complaints keys. So each commit holds a part, and in
/// turn something about everybody, lest one liar keep the node from helping the others.
struct KeyComplaints {
    /// Complaints, or keys sealed once more, that one commit holds at most.
    static let maximumPerCommit = 64
    /// Complaints of others that are looked at in one moment.
    private static let maximumAtOnce = 512
    /// How long each who comes first may take to answer a complaint: they may not hold the key themselves, or not want to.
    private static let holderTimeout: Duration = .seconds(3)

    /// A complaint that this device could answer and has not.
    struct Complaint {
        /// Whose key did not open.
        let epoch: Epochs.Epoch
        /// The key.
        let key: EpochKey
        /// Who complains, with the key that the lane knows for the device now.
        let complainer: View.Reader
        /// When this node learned of it.
        let since: Instant
    }

    /// Since when epochs are complained of, as far as this node knows.
    private var known: [ConversationID: [OperationID: Instant]] = [:]
    /// Where more complaints of this device are owed than it wrote at once.
    private var unwritten: Set<ConversationID> = []

    /// Where complaints of this device are still to be written.
    var conversationsToComplainIn: [ConversationID] { unwritten.sorted() }

    /// Where others complain.
    var conversationsToAnswerIn: [ConversationID] { known.keys.sorted() }

    /// The epochs whose key did not open for this device, once each, and again when what was sealed once more does not open either: a part of
    /// them that one commit holds. The rest is said with the next tick.
    mutating func due(in conversation: ConversationID, _ context: NodeContext) -> [OperationID] {
        unwritten.remove(conversation)
        guard let replica = context.replicas[conversation], replica.group.isMember(context.me) else { return [] }
        let broken = replica.epochs.missing.compactMap { replica.epochs.all[$0] }.flatMap { epoch in
            let author = epoch.view.place(of: epoch.header.device).map { epoch.view.readers[$0].user }
            return repeatElement((id: epoch.id, author: author), count: epoch.complaintsOwed(by: context.device.id))
        }
        guard !broken.isEmpty else { return [] }
        let ordered = inTurn(broken.sorted { $0.id < $1.id }, by: \.author)
        let part = ordered.prefix(Self.maximumPerCommit).map(\.id)
        if part.count < broken.count { unwritten.insert(conversation) }
        return part
    }

    /// The complaints that it is this device's turn to answer.
    mutating func dueAnswers(in conversation: ConversationID, _ context: inout NodeContext) -> [Complaint] {
        guard let replica = context.replicas[conversation], !replica.epochs.complained.isEmpty,
            replica.group.isMember(context.me),
            let view = context.replicas[conversation]?.view(at: replica.log.membership.heads)
        else {
            known[conversation] = nil
            return []
        }
        let (own, now) = (context.device.id, context.now)
        // Nobody waits for those who are readers no more.
        let connected = context.connectedDevices.filter(view.contains)
        let complaints = inTurn(complaints(in: replica, by: view, context), by: \.complainer.user)
        let due = complaints.prefix(Self.maximumAtOnce).lazy.filter { complaint in
            let turn = Self.turn(of: own, toAnswer: complaint, connected: connected)
            return now - complaint.since >= Self.holderTimeout * turn
        }
        return Array(due.prefix(Self.maximumPerCommit))
    }

    /// The complaints that this device could answer: of those who are readers now, as nobody else is sealed anything.
    private mutating func complaints(in replica: Replica, by view: View, _ context: NodeContext) -> [Complaint] {
        var complaints: [Complaint] = []
        let before = known[replica.id] ?? [:]
        known[replica.id] = nil
        for id in replica.epochs.complained.sorted() {
            // What a device sealed that got the key from another one of its user counts as help for nobody.
            guard let epoch = replica.epochs.all[id], epoch.view.contains(context.device.id),
                case .held(let key) = epoch.key
            else { continue }
            let since = before[id] ?? context.now
            known[replica.id, default: [:]][id] = since
            for complainer in epoch.complaints where complainer != context.device.id {
                guard let place = view.place(of: complainer) else { continue }
                let reader = view.readers[place]
                // The lane may not have the tombstone yet.
                guard context.contacts[reader.user].tombstones[complainer] == nil else { continue }
                if !epoch.hasHelped(context.device.id, complainer, sealingTo: reader.wrapKey) {
                    complaints.append(Complaint(epoch: epoch, key: key, complainer: reader, since: since))
                }
            }
        }
        return complaints
    }

    /// How often ``holderTimeout`` is waited before this device answers.
    private static func turn(of own: DeviceID, toAnswer complaint: Complaint, connected: Set<DeviceID>) -> Int {
        let epoch = complaint.epoch
        if epoch.header.device == own { return 0 }
        let complainers = Set(epoch.complaints)
        let holders = epoch.view.readers.filter { reader in
            reader.device == own
                || connected.contains(reader.device) && !complainers.contains(reader.device)
                    && !epoch.hasHelped(
                        reader.device, complaint.complainer.device, sealingTo: complaint.complainer.wrapKey)
        }
        return waits(
            of: own, among: holders.map { ($0.device, $0.user) }, of: epoch.id, by: epoch.header.device)
    }

    /// How many waits come before the turn of a holder. First comes the epoch's author if they are among the holders, then these in an order that is
    /// another for each epoch: one device of each person, then a second of each.
    ///
    /// After each wait twice as many may answer. So seven people in a row who keep silent cost three waits, with any number of devices; and
    /// where nobody keeps silent, hardly anybody answers without need.
    static func waits(
        of own: DeviceID, among holders: [(device: DeviceID, user: UserID)], of epoch: OperationID, by author: DeviceID
    ) -> Int {
        let ranked = holders.map { holder in
            (holder, Digest.hash("moot/1/turn", epoch.digest.bytes, holder.device.digest.bytes))
        }
        .sorted { ($0.0.device == author ? 0 : 1, $0.1) < ($1.0.device == author ? 0 : 1, $1.1) }.map(\.0)
        let place = inTurn(ranked, by: \.user).firstIndex { $0.device == own } ?? ranked.count
        // Before place 1 comes one wait, before places 2 and 3 two, before 4 to 7 three.
        return Int.bitWidth - place.leadingZeroBitCount
    }
}
