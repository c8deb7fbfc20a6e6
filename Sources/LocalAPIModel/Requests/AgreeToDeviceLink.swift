/// The body of `POST /device-links/{id}/agreement`.
package struct AgreeToDeviceLink: RequestFields {
    /// What to call the device; absent for "device" with a number.
    package var name: String?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case name
    }

    package init(name: String? = nil) {
        self.name = name
    }
}
