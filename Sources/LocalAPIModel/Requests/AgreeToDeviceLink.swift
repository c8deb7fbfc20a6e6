/// The body of `POST /device-links/{id}/agreement`.
package struct AgreeToDeviceLink: RequestFields {
    /// What to call the device; absent for "device" with a number.
    package var name: String?
    /// Whether it is to hold the key of the user's identity as well; absent for no.
    package var withRoot: Bool?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case name
        case withRoot = "with_root"
    }

    package init(name: String? = nil, withRoot: Bool? = nil) {
        self.name = name
        self.withRoot = withRoot
    }
}
