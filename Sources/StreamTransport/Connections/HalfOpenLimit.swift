/// Counts connections whose peer has not proved who it is, and says when there are enough.
///
/// Whoever has not authenticated may take only so much: without the bound per address one host could keep all others
/// out by opening connections and saying nothing.
public struct HalfOpenLimit: Sendable {
    /// Why one more is too many.
    public enum Refusal: Hashable, Sendable {
        /// Too many in all.
        case full
        /// Too many from one address.
        case addressFull
    }

    /// How many may be half open in all, unless told otherwise.
    public static let maximum = 32
    /// How many may be half open from one address, unless told otherwise.
    public static let maximumPerAddress = 8

    private let maximum: Int
    private let maximumPerAddress: Int
    private var countsByHost: [IPAddress: Int] = [:]
    /// How many are half open.
    public private(set) var count = 0

    /// A limit with nothing counted.
    public init(maximum: Int = Self.maximum, maximumPerAddress: Int = Self.maximumPerAddress) {
        self.maximum = maximum
        self.maximumPerAddress = maximumPerAddress
    }

    /// Counts one more connection from `host`, unless that is too many.
    ///
    /// - Returns: nil if it was counted, else why not.
    public mutating func admit(_ host: IPAddress) -> Refusal? {
        let host = Self.source(host)
        guard count < maximum else { return .full }
        let fromHost = countsByHost[host, default: 0]
        guard fromHost < maximumPerAddress else { return .addressFull }
        countsByHost[host] = fromHost + 1
        count += 1
        return nil
    }

    /// Stops counting a connection from `host`.
    ///
    /// - Precondition: One is counted.
    public mutating func release(_ host: IPAddress) {
        let host = Self.source(host)
        guard let fromHost = countsByHost[host] else { preconditionFailure("only a counted connection is released") }
        countsByHost[host] = fromHost == 1 ? nil : fromHost - 1
        count -= 1
    }

    /// The host that is counted. All loopback addresses count as one host, since every user of this host can connect from each of them.
    private static func source(_ host: IPAddress) -> IPAddress { host.isLoopback ? .loopbackV4 : host }
}
