import LocalAPIModel

extension LocalClient {
    /// Adds people to a group.
    public func add(
        _ people: [String], to conversation: String
    ) async throws(LocalClientError) -> ConversationDescription {
        try await ask(
            try LocalRequest(.post, "conversations", conversation, "members").with(AddMembers(members: people)))
    }

    /// Removes a person from a group.
    public func remove(
        _ person: String, from conversation: String, archive: Bool = false
    ) async throws(LocalClientError) -> ConversationDescription {
        try await ask(
            LocalRequest(
                .delete, "conversations", conversation, "members", person,
                query: [("archive", archive ? "true" : nil)]))
    }

    /// Gives a member a role.
    public func setRole(
        of person: String, in conversation: String, to role: String
    ) async throws(LocalClientError) -> ConversationDescription {
        try await ask(
            try LocalRequest(.patch, "conversations", conversation, "members", person).with(ChangeRole(role: role)))
    }

    /// Leaves a group.
    public func leave(
        _ conversation: String, successor: String? = nil, force: Bool = false, archive: Bool = false
    ) async throws(LocalClientError) -> ConversationDescription {
        try await ask(
            try LocalRequest(.post, "conversations", conversation, "leave")
                .with(LeaveConversation(successor: successor, force: force, archive: archive)))
    }

    /// Invites a person to a group.
    public func invite(
        _ person: String, to conversation: String
    ) async throws(LocalClientError) -> ConversationDescription {
        try await ask(
            try LocalRequest(.post, "conversations", conversation, "invites").with(InvitePerson(user: person)))
    }

    /// Takes an invite back.
    public func cancelInvite(
        of person: String, to conversation: String
    ) async throws(LocalClientError) -> ConversationDescription {
        try await ask(LocalRequest(.delete, "conversations", conversation, "invites", person))
    }

    /// Answers the invite to a group.
    public func answerInvite(
        to conversation: String, accepting: Bool
    ) async throws(LocalClientError) -> ConversationDescription {
        try await ask(
            try LocalRequest(.post, "conversations", conversation, "answer").with(AnswerInvite(accept: accepting)))
    }

    /// The membership lane of a conversation with its verdicts.
    public func membershipHistory(
        of conversation: String
    ) async throws(LocalClientError) -> [MembershipEntryDescription] {
        try await ask(LocalRequest(.get, "conversations", conversation, "membership"))
    }

    /// What is void in a conversation, and why.
    public func membershipReasons(
        of conversation: String, person: String? = nil
    ) async throws(LocalClientError) -> [MembershipEntryDescription] {
        try await ask(
            LocalRequest(
                .get, "conversations", conversation, "membership", query: [("void", "true"), ("person", person)]))
    }
}
