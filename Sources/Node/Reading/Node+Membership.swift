import Conversations
import OperationLog

extension Node {
    /// The membership lane of a group with every verdict, in causal order.
    ///
    /// - Throws: `conversation_not_found`, `ambiguous_name`.
    public func membershipHistory(of conversation: String) throws(NodeError) -> [MembershipEntryDescription] {
        let replica = try replica(named: conversation)
        return replica.group.history { people[$0].name }.map { entry in
            MembershipEntryDescription(
                id: entry.operation.id.description, author: entry.operation.author.user.description,
                authorName: people[entry.operation.author.user].name, type: entry.typeName,
                time: Clock.text(entry.operation.header.time.milliseconds), effective: entry.isEffective,
                sentence: entry.sentence, rule: entry.rule, decidedBy: entry.decidedBy?.description)
        }
    }

    /// Why operations of a group are void: all of them, or those of or about one person.
    ///
    /// - Throws: `conversation_not_found`, `ambiguous_name`, `unknown_person`.
    public func membershipReasons(
        of conversation: String, person: String? = nil
    ) throws(NodeError) -> [MembershipEntryDescription] {
        let replica = try replica(named: conversation)
        let user = try person.map { try self.person(named: $0) }
        let concerned = Set(
            replica.group.history { people[$0].name }.filter { entry in
                guard let user else { return !entry.isEffective }
                return entry.operation.author.user == user || entry.targets.contains(user)
            }
            .map(\.operation.id.description))
        return try membershipHistory(of: conversation).filter { concerned.contains($0.id) }
    }
}
