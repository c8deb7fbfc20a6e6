import Conversations
import Membership
import NodeCore
import OperationLog

extension World {
    /// The honest hosts that run.
    private var honest: [Host] { hosts.filter { !$0.isLiar && $0.core != nil && !isTakenOut($0) } }

    /// Whether all honest hosts agree on every conversation.
    var isConverged: Bool {
        hosts.allSatisfy { $0.isLiar || !$0.isLinked || $0.core != nil }
            && conversations.allSatisfy { disagreement(on: $0) == nil } && privateStateDisagreeing == nil
    }

    /// What one host lacks that another holds, for a message.
    private func lack(of host: Host, comparedTo other: Host, _ conversation: ConversationID) -> String {
        let rows = { (host: Host) in host.disk.image.rows.filter { $0.conversation == conversation }.map(\.operation) }
        let held = Set(rows(host).map(\.id))
        let missing = rows(other).filter { !held.contains($0.id) }
        guard let first = missing.first else { return "\(host.name) lacks nothing." }
        let author = hosts.first { $0.device == first.author.id }?.name ?? "somebody"
        let waiting = host.core?.pending.count(of: conversation) ?? 0
        return "\(host.name) lacks \(missing.count) (\(waiting) wait), first number \(first.header.sequenceNumber) of "
            + "\(author) in the \(first.header.lane) lane, of type \(first.header.type.rawValue)."
    }

    /// In what honest hosts disagree about a conversation; nil if in nothing.
    ///
    /// Members must hold the same; who one of them calls a member must be one of them; and nobody else may think they
    /// are.
    func disagreement(on conversation: ConversationID) -> String? {
        let held = honest.compactMap { host in host.core?.replicas[conversation].map { (host: host, replica: $0) } }
        // Who has not accepted the conversation is owed no more than there is room for.
        let crowded = Set(held.filter { $0.host.lacksRoom(in: conversation) }.map(\.host.index))
        // Of a conversation in which this host has nothing, although it began it, the others need not know.
        let members = held.filter {
            !crowded.contains($0.host.index) && $0.replica.operationCount > 0
                && $0.replica.group.isMember($0.host.user)
        }
        guard let first = members.first else { return nil }
        for (host, replica) in members where replica.digest != first.replica.digest {
            return
                "\(host.name) and \(first.host.name) hold different operations of \(conversation.description.prefix(8)): "
                + "\(lack(of: host, comparedTo: first.host, conversation)) \(lack(of: first.host, comparedTo: host, conversation))"
        }
        for (host, replica) in members {
            if let lack = bodiesLacking(replica, of: host, members.map(\.host)) { return lack }
        }
        if let file = fileLacking(in: conversation, among: members.map(\.host)) { return file }
        if let receipts = receiptsDisagreeing(on: conversation, among: members.map(\.host)) { return receipts }
        for host in honest where first.replica.group.isMember(host.user) && !crowded.contains(host.index) {
            guard members.contains(where: { $0.host.index == host.index }) else {
                return "\(first.host.name) calls \(host.name) a member, who does not know it"
            }
        }
        for (host, replica) in members where (replica.group.role(of: host.user) ?? .member) >= .moderator {
            for code in replica.group.codes(of: host.user) where !code.isTakenBack {
                if case .used = code.state { return "\(host.name) has not taken back a code that was used" }
            }
        }
        // A direct conversation that somebody only told of has nothing in it yet.
        for (host, _) in members
        where first.replica.operationCount > 0 && !first.replica.group.counts(host.keys.author.device) {
            return "\(first.host.name) does not count \(host.name) among the devices of its user"
        }
        if let records = recordsDisagreeing(on: conversation, among: members.map(\.host)) { return records }
        if let devices = devicesDisagreeing(on: conversation, among: members.map(\.host)) { return devices }
        for (host, _) in members where !first.replica.group.isMember(host.user) {
            return "\(host.name) counts itself as a member, \(first.host.name) does not"
        }
        return nil
    }

    /// A body that a member is still without although another has it who may give it, or a key that nobody has sealed
    /// for them once more.
    private func bodiesLacking(_ replica: Replica, of host: Host, _ members: [Host]) -> String? {
        var replica = replica
        for id in replica.wanted.operations.sorted() {
            // What is closed goes to its readers, and from one device of a user to another: what was written before a
            // device was linked and then dismissed on the others is nowhere for it.
            let isReader =
                (try? host.disk.operation(id, of: replica.id)).map { operation in
                    !operation.header.type.isClosed
                        || replica.view(at: operation.header.membershipHeads)?.contains(host.device) == true
                } ?? true
            let holder = members.first { member in
                (isReader || member.user == host.user) && (try? member.disk.operation(id, of: replica.id))?.body != nil
            }
            if let holder {
                return "\(host.name) is without a body that \(holder.name) has, and wants \(replica.wanted.count)"
            }
        }
        for epoch in replica.epochs.all.values.sorted(by: { $0.id < $1.id })
        where epoch.complaints.contains(host.device) {
            let holder = members.first { member in
                if case .held? = member.core?.replicas[replica.id]?.epochs.all[epoch.id]?.key { true } else { false }
            }
            if let holder { return "\(host.name) was not given a key that \(holder.name) has" }
        }
        return nil
    }
}

extension Host {
    /// Whether what strangers bring may find no room here.
    func lacksRoom(in conversation: ConversationID) -> Bool {
        var core = core
        return core?.lackOfRoom(in: conversation) != nil
    }
}
