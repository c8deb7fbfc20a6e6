/// The body of `POST /web/addresses`.
package struct CreateWebAddress: RequestFields {
    /// Whether the session outlives the node's run; absent means that it does not.
    package var remember: Bool?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case remember
    }

    package init(remember: Bool? = nil) {
        self.remember = remember
    }
}
