/// The body of `POST /conversations/{id}/leave`.
struct LeaveConversation: RequestFields {
    /// Who becomes admin when the last one leaves.
    var successor: String?
    /// Leave the succession to the oldest member.
    var force: Bool?
    /// Accept that the group is archived when one member remains.
    var archive: Bool?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case successor
        case force
        case archive
    }
}
