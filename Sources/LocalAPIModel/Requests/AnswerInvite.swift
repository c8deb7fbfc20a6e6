/// The body of `POST /conversations/{id}/answer`: whether the invite is accepted.
package struct AnswerInvite: RequestFields {
    package var accept: Bool

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case accept
    }

    package init(accept: Bool) {
        self.accept = accept
    }
}
