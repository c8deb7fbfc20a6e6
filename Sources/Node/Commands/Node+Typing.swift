import Conversations
import LocalAPIModel
import NodeCore
import OperationLog
import Time

extension Node {
    /// Tells the members who are connected that the user writes; to be called with every key they press.
    ///
    /// - Returns: who else writes there.
    /// - Throws: `conversation_not_found`, `ambiguous_name`, `not_a_participant`, `announcement_only`, `disk_full`,
    ///   `storage_failed`.
    public func type(in conversation: String) throws(NodeError) -> TypingDescription {
        let id = try replica(named: conversation).id
        try change { core, moment throws(NodeError) in try core.type(in: id, at: moment) }
        return typing(in: id)
    }

    /// Tells watchers who writes in a conversation now.
    func publishTyping(in conversation: ConversationID) {
        let typing = typing(in: conversation)
        events.publish { id in
            NodeEvent(
                id: id, type: .typing, conversation: typing.conversation, people: typing.people, text: typing.text)
        }
    }

    private func typing(in conversation: ConversationID) -> TypingDescription {
        let people = core.peopleTyping(in: conversation, at: Moment(monotonic: now, wall: Clock.now)).map {
            contacts[$0]
        }
        return TypingDescription(
            conversation: conversation.description, people: people.map { describe($0) },
            text: TypingIndicators.sentence(about: people.map(\.name)))
    }
}
