import LocalAPIModel

/// Whether somebody is there, in words.
enum Presence {
    /// "online", or when they were last seen where that is known: whoever is not connected may well be there.
    static func words(_ presence: PersonDescription.Presence, lastSeen: String?) -> String {
        guard presence == .offline, let seen = lastSeen.flatMap(LocalTime.init) else { return presence.rawValue }
        return "last seen \(seen.day) \(seen.clock)"
    }
}
