import LocalAPIModel
import NodeCore
import OperationLog

extension Node {
    /// Invites a person to a group; they are a member when they accept.
    ///
    /// - Throws: `conversation_not_found`, `ambiguous_name`, `insufficient_permissions`, `already_in_group`,
    ///   `unknown_person`, `duplicate_participant`, `too_many_participants`, `not_a_participant`, `invalid_operation`.
    public func invite(_ person: String, to conversation: String) throws(NodeError) -> ConversationDescription {
        let id = try group(named: conversation).id
        let target = try self.person(named: person)
        try change { core, moment throws(NodeError) in try core.invite(target, to: id, at: moment) }
        return try describe(id)
    }

    /// Takes an invite back: of a person, or one by code, which its id names.
    ///
    /// - Throws: `conversation_not_found`, `ambiguous_name`, `insufficient_permissions`, `outranked`, `unknown_person`,
    ///   `not_a_participant`, `invalid_operation`.
    public func cancelInvite(of person: String, to conversation: String) throws(NodeError) -> ConversationDescription {
        let replica = try group(named: conversation)
        let id = replica.id
        if let code = code(named: person, in: replica.group) {
            try change { core, moment throws(NodeError) in try core.cancelCode(code, of: id, at: moment) }
            return try describe(id)
        }
        let target = try self.person(named: person)
        try change { core, moment throws(NodeError) in try core.cancelInvite(of: target, to: id, at: moment) }
        return try describe(id)
    }

    /// Answers the invite to a group, or that somebody added the user who wants to be asked.
    ///
    /// - Throws: `conversation_not_found`, `ambiguous_name`, `already_in_group`, `invalid_operation`.
    public func answerInvite(to conversation: String, accepting: Bool) throws(NodeError) -> ConversationDescription {
        let id = try group(named: conversation).id
        try change { core, moment throws(NodeError) in
            if accepting {
                try core.acceptInvite(to: id, at: moment)
            } else {
                try core.declineInvite(to: id, at: moment)
            }
        }
        settleNotification(of: id)
        return try describe(id)
    }
}
