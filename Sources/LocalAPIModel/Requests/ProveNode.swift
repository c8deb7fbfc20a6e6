/// The body of `POST /web/proof`.
package struct ProveNode: RequestFields {
    /// 32 bytes that the page drew, as 64 hexadecimal digits.
    package var nonce: String

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case nonce
    }

    package init(nonce: String) {
        self.nonce = nonce
    }
}
