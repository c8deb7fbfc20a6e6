/// Whether somebody is there, in words.
enum Presence {
    /// "online", or "offline" with when that began where it is known.
    static func words(_ presence: String, lastSeen: String?) -> String {
        guard presence == "offline", let seen = lastSeen.flatMap(LocalTime.init) else { return presence }
        return "offline since \(seen.day) \(seen.clock)"
    }
}
