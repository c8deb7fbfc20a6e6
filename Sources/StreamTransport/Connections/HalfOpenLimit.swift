/// Counts connections whose peer has not proved who it is, and says when there are enough.
///
/// Whoever has not authenticated may take only so much. One source gets at most ``maximumPerSource`` places. Where all
/// places are taken, the oldest connection of the largest crowd gives its place up to a newcomer from a smaller one. A
/// crowd is measured by the places of the network, then by those of the source. So whoever has no place here always
/// gets one, however many connections others open.
///
/// The bound: a connection whose network has *k* of *n* places loses its place only while no network has more, so at
/// least *n*/*k* networks have connections that are half open. A host that opens more only crowds out its own. The
/// limit of this: users of another host cannot be told apart, and a source whose places are all taken waits for one of
/// them.
public struct HalfOpenLimit: Sendable {
    /// Why one more is too many.
    public enum Refusal: Hashable, Sendable {
        /// Too many in all, and no crowd is larger than the newcomer's own.
        case full
        /// Too many from one source.
        case sourceFull
    }

    /// A place that a connection takes. No other ever gets the same one.
    public struct Place: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    /// What became of one more connection.
    public enum Admission: Hashable, Sendable {
        /// It has a place, perhaps that of another, which is not counted any more.
        case admitted(Place, displacing: Place?)
        /// It has none.
        case refused(Refusal)
    }

    /// How many may be half open in all, unless told otherwise.
    public static let maximum = 32
    /// How many may be half open from one source, unless told otherwise.
    public static let maximumPerSource = 8

    private let maximum: Int
    private let maximumPerSource: Int
    private var lastNumber: UInt64 = 0
    /// The places that are taken, the oldest first.
    private var taken: [(place: Place, source: ConnectionSource)] = []

    /// How many are half open.
    public var count: Int { taken.count }

    /// A limit with nothing counted.
    public init(maximum: Int = Self.maximum, maximumPerSource: Int = Self.maximumPerSource) {
        self.maximum = maximum
        self.maximumPerSource = maximumPerSource
    }

    /// Counts one more connection, unless that is too many.
    ///
    /// - Complexity: O(*n*), where *n* is the maximum in all.
    public mutating func admit(_ source: ConnectionSource) -> Admission {
        guard taken.count(where: { $0.source == source }) < maximumPerSource else { return .refused(.sourceFull) }
        var displaced: Place?
        if count >= maximum {
            guard let index = oldestOfLargestCrowd(largerThanThatOf: source) else { return .refused(.full) }
            displaced = taken.remove(at: index).place
        }
        lastNumber += 1
        let place = Place(number: lastNumber)
        taken.append((place, source))
        return .admitted(place, displacing: displaced)
    }

    /// Stops counting a connection. One that lost its place is not counted already.
    public mutating func release(_ place: Place) {
        taken.removeAll { $0.place == place }
    }

    private func oldestOfLargestCrowd(largerThanThatOf newcomer: ConnectionSource) -> Int? {
        var ofNetwork: [ConnectionSource: Int] = [:]
        var ofSource: [ConnectionSource: Int] = [:]
        for (_, source) in taken {
            ofNetwork[source.network, default: 0] += 1
            ofSource[source, default: 0] += 1
        }
        func crowd(_ source: ConnectionSource) -> (Int, Int) {
            (ofNetwork[source.network, default: 0], ofSource[source, default: 0])
        }
        guard let largest = taken.map({ crowd($0.source) }).max(by: <), largest > crowd(newcomer) else { return nil }
        return taken.firstIndex { crowd($0.source) == largest }
    }
}
