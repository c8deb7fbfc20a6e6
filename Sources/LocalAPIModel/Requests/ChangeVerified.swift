/// The body of `PUT /people/{user}/verified`.
package struct ChangeVerified: RequestFields {
    package var verified: Bool

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case verified
    }

    package init(verified: Bool) {
        self.verified = verified
    }
}
