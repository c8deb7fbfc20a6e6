import OperationLog

/// Membership bodies as plain as the log allows: the devices and the users that an operation introduces.
public enum PlainIntroductions {
    /// Encodes introductions; an empty body introduces nobody.
    public static func body(of people: [Person]) -> [UInt8] {
        var writer = CanonicalWriter()
        writer.write(ascending: people.map(\.device).sorted())
        writer.write(ascending: Set(people.map(\.user)).sorted())
        return writer.bytes
    }

    /// Reads the introductions of an operation.
    public static let read: @Sendable (Operation) throws(MalformedBytes) -> MembershipGraph.Introductions = {
        operation throws(MalformedBytes) in
        guard let body = operation.body, !body.isEmpty else { return MembershipGraph.Introductions() }
        var reader = CanonicalReader(body)
        let devices: [DeviceID] = try reader.ascending(of: "devices", limit: 256)
        let users: [UserID] = try reader.ascending(of: "users", limit: 256)
        try reader.finish()
        return MembershipGraph.Introductions(devices: devices, users: users)
    }
}
