import Conversations
import Membership
import OperationLog

extension Node {
    /// The membership lane of a group with every verdict, in causal order.
    ///
    /// - Throws: `conversation_not_found`, `ambiguous_name`.
    public func membershipHistory(of conversation: String) throws(NodeError) -> [MembershipEntryDescription] {
        let replica = try replica(named: conversation)
        return replica.group.history.map(describe)
    }

    /// Why operations of a group are void: all of them, or those of or about one person.
    ///
    /// - Throws: `conversation_not_found`, `ambiguous_name`, `unknown_person`.
    public func membershipReasons(
        of conversation: String, person: String? = nil
    ) throws(NodeError) -> [MembershipEntryDescription] {
        let replica = try replica(named: conversation)
        let user = try person.map { text throws(NodeError) in try self.person(named: text) }
        return replica.group.history.filter { entry in
            guard let user else { return entry.objection != nil }
            return entry.operation.author.user == user || entry.body?.targets.contains(user) == true
        }
        .map(describe)
    }

    private func describe(_ entry: Group.Entry) -> MembershipEntryDescription {
        let author = contacts[entry.operation.author.user].name
        let targets = (entry.body?.targets ?? []).map { contacts[$0].name }.joined(separator: ", ")
        let deed =
            "\(author): \(entry.body?.word ?? "an operation of a newer version")"
            + (targets.isEmpty ? "" : " \(targets)")
        return MembershipEntryDescription(
            id: entry.operation.id.description, author: entry.operation.author.user.description, authorName: author,
            type: entry.body?.word ?? "unknown", time: Clock.text(entry.operation.header.time.milliseconds),
            effective: entry.objection == nil,
            sentence: entry.objection.map { "\(deed). Void: \($0.rule.sentence)." } ?? "\(deed).",
            rule: entry.objection?.rule.rawValue, decidedBy: entry.objection?.decidedBy?.description)
    }
}
