import Conversations
import Cryptography
import OperationLog
import Replication

/// Says which keys did not open, and helps others with theirs.
///
/// A liar can make a node owe much of both: with false keys complaints, with false complaints keys. So each commit holds a part, and in
/// turn something about everybody, lest one liar keep the node from helping the others.
extension NodeCore {
    /// Complaints, or keys sealed once more, that one commit holds at most.
    package static let debtsAtOnce = 64
    /// Complaints of others that are looked at in one moment.
    private static let complaintsAtOnce = 512
    /// How long each who comes first may take to answer a complaint: they may not hold the key themselves, or not want to.
    private static let holderTimeout: Duration = .seconds(3)

    /// Says of which epochs the key did not open for this device: once of each, and again when what was sealed once more does not
    /// open either. What does not fit into one commit is said with the next tick.
    mutating func complainIfNeeded(in conversation: ConversationID) throws(NodeError) {
        complaintsOwed.remove(conversation)
        guard let replica = replicas[conversation], replica.group.isMember(me) else { return }
        let broken = replica.epochs.missing.compactMap { replica.epochs.all[$0] }.flatMap { epoch in
            repeatElement((id: epoch.id, debtor: epoch.header.device), count: epoch.complaintsOwed(by: device.id))
        }
        guard !broken.isEmpty else { return }
        let part = Self.inTurn(broken.sorted { $0.id < $1.id }, by: \.debtor).prefix(Self.debtsAtOnce).map(\.id)
        for epoch in Set(part).sorted() { note(.keyMissing(epoch)) }
        if part.count < broken.count { complaintsOwed.insert(conversation) }
        try write(in: conversation) { log, author, time throws(MalformedBytes) in
            try log.write(
                content: part.map { ConversationLog.Draft(type: .complaint, epoch: $0, body: []) }, by: author,
                at: time)
        }
    }

    /// Seals keys once more for members who could not open them, when it is this device's turn.
    mutating func answerComplaints(in conversation: ConversationID) throws(NodeError) {
        guard var replica = replicas[conversation], !replica.epochs.complained.isEmpty, replica.group.isMember(me),
            let view = replica.view(at: replica.log.membership.heads)
        else {
            complaintsSince[conversation] = nil
            return
        }
        let connected = connectedDevices
        let complaints = Self.inTurn(complaints(in: replica, by: view), by: \.complainer.user)
        var drafts: [ConversationLog.Draft] = []
        for complaint in complaints.prefix(Self.complaintsAtOnce) {
            guard drafts.count < Self.debtsAtOnce else { break }
            let turn = turn(toAnswer: complaint, connected: connected)
            guard now - complaint.since >= Self.holderTimeout * turn else { continue }
            let wrapKey = complaint.complainer.wrapKey
            let body = WrapBody(
                device: complaint.complainer.device, wrapKey: wrapKey, wrap: wrap(complaint.key, to: wrapKey))
            drafts.append(ConversationLog.Draft(type: .wrap, epoch: complaint.epoch.id, body: body.encoded))
        }
        guard !drafts.isEmpty else { return }
        try write(in: conversation) { log, author, time throws(MalformedBytes) in
            try log.write(content: drafts, by: author, at: time)
        }
    }

    /// Does a part of what is owed wherever a turn has come.
    mutating func settleComplaints() {
        do throws(NodeError) {
            for conversation in complaintsOwed.sorted() { try complainIfNeeded(in: conversation) }
            for conversation in complaintsSince.keys.sorted() { try answerComplaints(in: conversation) }
        } catch {
            note(.notStored(error))
        }
    }

    /// A complaint that this device could answer and has not.
    private struct Complaint {
        let epoch: Epochs.Epoch
        let key: EpochKey
        /// Who complains, with the key that the lane knows for the device now.
        let complainer: View.Reader
        let since: Instant
    }

    /// The complaints that this device could answer: of those who are readers now, as nobody else is sealed anything.
    private mutating func complaints(in replica: Replica, by view: View) -> [Complaint] {
        var complaints: [Complaint] = []
        let known = complaintsSince[replica.id] ?? [:]
        complaintsSince[replica.id] = nil
        for id in replica.epochs.complained.sorted() {
            guard let epoch = replica.epochs.all[id], case .held(let key) = epoch.key else { continue }
            let since = known[id] ?? now
            complaintsSince[replica.id, default: [:]][id] = since
            for complainer in epoch.complaints where complainer != device.id {
                guard let place = view.place(of: complainer) else { continue }
                let reader = view.readers[place]
                if !epoch.hasHelped(device.id, complainer, sealingTo: reader.wrapKey) {
                    complaints.append(Complaint(epoch: epoch, key: key, complainer: reader, since: since))
                }
            }
        }
        return complaints
    }

    /// How many others come first: the epoch's author if they are connected, then the holders in an order that is another for each epoch.
    private func turn(toAnswer complaint: Complaint, connected: Set<DeviceID>) -> Int {
        let epoch = complaint.epoch
        let author = epoch.header.device
        if author == device.id { return 0 }
        let place = { (device: DeviceID) in
            (device == author ? 0 : 1, Digest.hash("moot/1/turn", epoch.id.digest.bytes, device.digest.bytes))
        }
        let own = place(device.id)
        let complainers = Set(epoch.complaints)
        return connected.count { other in
            epoch.view.contains(other) && !complainers.contains(other)
                && !epoch.hasHelped(other, complaint.complainer.device, sealingTo: complaint.complainer.wrapKey)
                && place(other) < own
        }
    }

    /// The first about each, then the second about each, and so on.
    private static func inTurn<Debt, Debtor: Hashable>(_ debts: [Debt], by debtor: (Debt) -> Debtor) -> [Debt] {
        var counts: [Debtor: Int] = [:]
        let rounds = debts.map { debt in
            defer { counts[debtor(debt), default: 0] += 1 }
            return counts[debtor(debt), default: 0]
        }
        return zip(rounds, debts).enumerated().sorted {
            ($0.element.0, $0.offset) < ($1.element.0, $1.offset)
        }.map(\.element.1)
    }
}
