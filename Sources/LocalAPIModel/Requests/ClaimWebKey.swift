/// The body of `POST /web/key`.
package struct ClaimWebKey: RequestFields {
    /// What stands as `claim` in the address to which a single-use address leads.
    package var claim: String

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case claim
    }

    package init(claim: String) {
        self.claim = claim
    }
}
