/// The body of `POST /conversations/{id}/read`: how far the user has read.
package struct ReadConversation: RequestFields {
    /// The last message read, by its id; everything where it is absent.
    package var upTo: String?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case upTo = "up_to"
    }

    package init(upTo: String? = nil) {
        self.upTo = upTo
    }
}
