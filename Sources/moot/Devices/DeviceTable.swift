import LocalAPIModel

/// Devices of a person, as lines of a table.
enum DeviceTable {
    static func lines(_ devices: [DeviceDescription], _ output: Output) -> [String] {
        var table = Table("NAME", "PRESENCE", "ADDED", "ID")
        for device in devices {
            let marks = [device.isThis ? "this one" : nil, device.holdsRoot == true ? "certifies devices" : nil]
            let told = marks.compactMap(\.self).joined(separator: ", ")
            let presence = Presence.words(device.online ? .online : .offline, lastSeen: device.lastSeen)
            table.add(
                told.isEmpty ? device.name : "\(device.name) (\(told))",
                device.state == .active ? presence : device.state.rawValue,
                device.addedAt.flatMap(LocalTime.init)?.day ?? "-", String(device.id.prefix(16)))
        }
        return table.lines(output)
    }
}
