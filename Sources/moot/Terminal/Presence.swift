import LocalAPIModel

/// Whether somebody is there, in words.
enum Presence {
    /// "online", or "offline" with when that began where it is known.
    static func words(_ presence: PersonDescription.Presence, lastSeen: String?) -> String {
        guard presence == .offline, let seen = lastSeen.flatMap(LocalTime.init) else { return presence.rawValue }
        return "offline since \(seen.day) \(seen.clock)"
    }
}
