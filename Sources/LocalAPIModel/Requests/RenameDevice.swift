/// The body of `PATCH /devices/{device}`.
package struct RenameDevice: RequestFields {
    /// What to call the device.
    package var name: String

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case name
    }

    package init(name: String) {
        self.name = name
    }
}
