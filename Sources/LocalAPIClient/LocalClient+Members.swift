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
    ///
    /// - Parameter since: a time of RFC 3339 that is over, from which on what they did is taken back as well; nil to
    ///   take nothing back.
    public func remove(
        _ person: String, from conversation: String, since: String? = nil, archive: Bool = false
    ) async throws(LocalClientError) -> ConversationDescription {
        try await ask(
            LocalRequest(
                .delete, "conversations", conversation, "members", person,
                query: [("since", since), ("archive", archive ? "true" : nil)]))
    }

    /// What removing a person with what they did since a time would take away.
    ///
    /// - Parameter since: a time of RFC 3339 that is over.
    public func removalLosses(
        of person: String, from conversation: String, since: String
    ) async throws(LocalClientError) -> RemovalLossesDescription {
        try await ask(
            LocalRequest(
                .get, "conversations", conversation, "members", person, "removal", query: [("since", since)]))
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
