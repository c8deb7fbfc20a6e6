import Conversations
import Cryptography
import OperationLog
import Replication
import Time

/// Knows of which keys to complain, and whose complaints to answer when.
///
/// A liar can make a node owe much of both: with false keys complaints, with false complaints keys. So each commit
/// holds a part, and in turn something about everybody, lest one liar keep the node from helping the others.
struct KeyComplaints {
    /// Complaints, or keys sealed once more, that one commit holds at most.
    static let maximumPerCommit = 64
    /// Complaints of others that are looked at in one moment.
    private static let maximumAtOnce = 512
    /// How long each who comes first may take to answer a complaint: they may not hold the key themselves, or not want
    /// to.
    private static let holderTimeout = PersonTurns.answerTimeout

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
    /// When it is this device's turn next to answer others.
    private var turns: [ConversationID: Instant] = [:]
    /// Where more complaints of this device are owed than it wrote at once.
    private var unwritten: Set<ConversationID> = []

    /// Where complaints of this device are still to be written.
    var conversationsToComplainIn: [ConversationID] { unwritten.sorted() }

    /// Where others complain.
    var conversationsToAnswerIn: [ConversationID] { known.keys.sorted() }

    /// When it is this device's turn next to answer somebody, after a moment.
    func nextTurn(after now: Instant) -> Instant? { turns.values.lazy.filter { $0 > now }.min() }

    /// The epochs whose key did not open for this device, once each, and again when what was sealed once more does not
    /// open either: a part of them that one commit holds. The rest is said with the next tick.
    ///
    /// They come in turn by whose messages wait for the key. So an epoch under which an honest member wrote does not
    /// wait behind all others that its maker made.
    ///
    /// - Complexity: O(*n* log *n*) in the epochs of which this device has to complain: fewer with each commit.
    mutating func due(in conversation: ConversationID, _ context: NodeContext) -> [OperationID] {
        unwritten.remove(conversation)
        guard let replica = context.replicas[conversation], replica.group.isMember(context.me) else { return [] }
        guard !replica.epochs.owed.isEmpty else { return [] }
        let broken = replica.epochs.owed.sorted().compactMap { replica.epochs.all[$0] }
            .map { (epoch: $0, count: $0.complaintsOwed(by: context.device.id)) }
        let claims = broken.flatMap { owed in owed.epoch.claimants.map { (owed: owed, user: $0) } }
        var said: Set<OperationID> = []
        let ordered = inTurn(claims, by: \.user).map(\.owed).filter { said.insert($0.epoch.id).inserted }
            .flatMap { repeatElement($0.epoch.id, count: $0.count) }
        let part = Array(ordered.prefix(Self.maximumPerCommit))
        if part.count < ordered.count { unwritten.insert(conversation) }
        return part
    }

    /// The complaints that it is this device's turn to answer.
    mutating func dueAnswers(in conversation: ConversationID, _ context: inout NodeContext) -> [Complaint] {
        guard let replica = context.replicas[conversation], !replica.epochs.complained.isEmpty,
            replica.group.isMember(context.me),
            let view = context.replicas[conversation]?.view(at: replica.log.membership.heads)
        else {
            (known[conversation], turns[conversation]) = (nil, nil)
            return []
        }
        let (own, now) = (context.device.id, context.now)
        // Nobody waits for those who are readers no more.
        let connected = context.connectedDevices.filter(view.contains)
        let complaints = inTurn(complaints(in: replica, by: view, context), by: \.complainer.user)
        var due: [Complaint] = []
        turns[conversation] = nil
        for complaint in complaints.prefix(Self.maximumAtOnce) where due.count < Self.maximumPerCommit {
            let turn = Self.turn(of: own, toAnswer: complaint, connected: connected)
            let begin = complaint.since + Self.holderTimeout * turn
            if begin <= now {
                due.append(complaint)
            } else {
                turns[conversation] = min(begin, turns[conversation] ?? begin)
            }
        }
        return due
    }

    /// The complaints that this device could answer: of those who are readers now, as nobody else is sealed anything.
    /// First those about keys under which it wrote itself.
    private mutating func complaints(in replica: Replica, by view: View, _ context: NodeContext) -> [Complaint] {
        var complaints: [Complaint] = []
        let isOurs = { (complaint: Complaint) in complaint.epoch.writers.contains(context.device.id) }
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
        let (ours, others) = (complaints.filter(isOurs), complaints.filter { !isOurs($0) })
        return ours + others
    }

    /// How often ``holderTimeout`` is waited before this device answers.
    private static func turn(of own: DeviceID, toAnswer complaint: Complaint, connected: Set<DeviceID>) -> Int {
        let (epoch, complainer) = (complaint.epoch, complaint.complainer)
        let complainers = Set(epoch.complaints)
        let hasHelped = { (reader: View.Reader) in
            epoch.hasHelped(reader.device, complainer.device, sealingTo: complainer.wrapKey)
        }
        let helpers = Set(epoch.view.readers.filter(hasHelped).map(\.user))
        let holders = epoch.view.readers.filter { reader in
            reader.device == own
                || connected.contains(reader.device) && !complainers.contains(reader.device) && !hasHelped(reader)
        }
        return waits(
            of: own,
            among: holders.map { reader in
                let claim: Claim =
                    if helpers.contains(reader.user) {
                        .inVain
                    } else if reader.user == epoch.maker {
                        .made
                    } else {
                        epoch.writers.contains(reader.device) ? .wrote : .holds
                    }
                return Holder(device: reader.device, user: reader.user, claim: claim)
            }, of: epoch.id)
    }

    /// What speaks for a holder's answer, the best first.
    enum Claim: Comparable {
        /// They wrote under the key, so they have it, and what they wrote waits for it.
        case wrote
        /// They made it. If they sealed it wrongly, they may not correct that.
        case made
        /// They may have it.
        case holds
        /// A device of theirs answered already, and that was no help.
        case inVain
    }

    /// Somebody who may answer a complaint.
    struct Holder {
        let device: DeviceID
        let user: UserID
        let claim: Claim
    }

    /// How many waits come before the turn of a holder. One device of each person comes first, then a second of each:
    /// in the order of their claims, and of equal ones in an order that is another for each epoch.
    ///
    /// After each wait twice as many may answer. So seven people in a row who keep silent cost three waits, with any
    /// number of devices; and where nobody keeps silent, hardly anybody answers without need.
    static func waits(of own: DeviceID, among holders: [Holder], of epoch: OperationID) -> Int {
        let ranked = holders.map { holder in
            (holder, Digest.hash("moot/1/turn", epoch.digest.bytes, holder.device.digest.bytes))
        }
        .sorted { ($0.0.claim, $0.1) < ($1.0.claim, $1.1) }.map(\.0)
        let place = inTurn(ranked, by: \.user).firstIndex { $0.device == own } ?? ranked.count
        // Before place 1 comes one wait, before places 2 and 3 two, before 4 to 7 three.
        return Int.bitWidth - place.leadingZeroBitCount
    }
}
