/// The body of `POST /devices/{device}/revocation`.
package struct RevokeDevice: RequestFields {
    /// How many seconds ago the device came into other hands; absent for now.
    package var seconds: Int?
    /// Whether also while the node lacks something that others have.
    package var force: Bool?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case seconds
        case force
    }

    package init(seconds: Int? = nil, force: Bool? = nil) {
        self.seconds = seconds
        self.force = force
    }
}
