/// The body of `POST /conversations/{id}/leave`.
package struct LeaveConversation: RequestFields {
    /// Who becomes admin when the last one leaves.
    package var successor: String?
    /// Leave the succession to the oldest member.
    package var force: Bool?
    /// Accept that the group is archived when one member remains.
    package var archive: Bool?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case successor
        case force
        case archive
    }

    package init(successor: String? = nil, force: Bool? = nil, archive: Bool? = nil) {
        self.successor = successor
        self.force = force
        self.archive = archive
    }
}
