/// What is known of a device that is said to be at a place. Each standing has dials of its own, so that made-up places
/// never hold up others.
public enum PlaceStanding: Int, Comparable, CaseIterable, Sendable {
    /// The user has nothing to do with the device, as far as is known.
    case unknown
    /// The user has to do with the device.
    case familiar
    /// They have, and the device has said so itself, on a connection that led elsewhere. It is tried there.
    case told
    /// They have, and the device proved at this place, when it was met last, who it is.
    case met

    /// By how much is known.
    public static func < (left: PlaceStanding, right: PlaceStanding) -> Bool { left.rawValue < right.rawValue }
}
