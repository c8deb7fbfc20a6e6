/// The body of `POST /conversations/{id}/answer`: whether the invite is accepted.
struct AnswerInvite: RequestFields {
    var accept: Bool

    enum CodingKeys: String, CodingKey, CaseIterable {
        case accept
    }
}
