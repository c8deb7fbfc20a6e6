import OperationLog
import Time

/// What a node tells a peer of how the two reach each other: what it heard of the peer, and what came of dialing it.
///
/// It speaks of the two nodes alone. Nothing in it is verified: the peer may say what it likes of itself.
public struct ReachabilityReport: Hashable, Sendable {
    /// Bytes of the name of a version, at most.
    public static let maximumProgramBytes = 64
    /// Bytes of the stable code of an error, at most.
    public static let maximumCodeBytes = 32
    /// Places that were dialed in vain and are named, at most.
    public static let maximumDials = 16
    /// How long ago something was at most, 34 years; what was before that counts as so long ago.
    public static let maximumAge = Duration.milliseconds(1 << 40)

    /// The latest beacon of the peer.
    public struct HeardBeacon: Hashable, Sendable {
        /// Where the peer can be dialed, if the beacon is right; `host:port`.
        public let address: String
        /// How long ago it was heard.
        public let age: Duration

        /// Describes a beacon.
        public init(address: String, age: Duration) {
            self.address = address
            self.age = age
        }
    }

    /// A place where the node looked for the peer, and did not meet it at the last try.
    public struct FailedDial: Hashable, Sendable {
        /// The place, `host:port`.
        public let address: String
        /// The stable code of what ended the last try.
        public let code: String

        /// Describes a try.
        public init(address: String, code: String) {
            self.address = address
            self.code = code
        }
    }

    /// What came of dialing the peer at the address of this very connection.
    public enum DialBack: Hashable, Sendable {
        /// The node dialed nothing: the peer listens on no port, or asked too often.
        case notTried
        /// Somebody accepted.
        case accepted
        /// Nobody did; with the stable code of the reason.
        case failed(String)
    }

    /// The version of the program.
    public let program: String
    /// What its clock shows.
    public let clock: Timestamp
    /// Where the node dialed the peer, or else from where the peer is connected, with the port on which it says that it
    /// listens; `host:port`.
    public let address: String
    /// What came of dialing that address.
    public let dialBack: DialBack
    /// Whether the node sends and hears beacons.
    public let sendsBeacons: Bool
    /// How long ago it heard a beacon of its own; nil if it never did.
    public let ownBeaconAge: Duration?
    /// The latest beacon of the peer; nil if it heard none.
    public let beacon: HeardBeacon?
    /// Where it looked for the peer in vain.
    public let failedDials: [FailedDial]

    /// Puts a report together, within the limits of what a message may carry.
    ///
    /// Versions and codes that are too long are cut, and other characters than ``isWord(_:)`` takes become underscores.
    /// Places that are too long or not well formed are left out, and so are places beyond ``maximumDials``.
    ///
    /// - Precondition: `address` is `host:port`.
    public init(
        program: String, clock: Timestamp, address: String, dialBack: DialBack, sendsBeacons: Bool,
        ownBeaconAge: Duration?, beacon: HeardBeacon?, failedDials: [FailedDial]
    ) {
        precondition(Self.isPlace(address), "an answer names the place of a connection")
        self.program = Self.word(program, ofAtMost: Self.maximumProgramBytes)
        self.clock = clock
        self.address = address
        self.dialBack = if case .failed(let code) = dialBack { .failed(Self.code(code)) } else { dialBack }
        self.sendsBeacons = sendsBeacons
        self.ownBeaconAge = ownBeaconAge.map(Self.bounded)
        self.beacon = beacon.flatMap {
            Self.isPlace($0.address) ? HeardBeacon(address: $0.address, age: Self.bounded($0.age)) : nil
        }
        self.failedDials = failedDials.filter { Self.isPlace($0.address) }.prefix(Self.maximumDials)
            .map { FailedDial(address: $0.address, code: Self.code($0.code)) }
    }

    /// Whether a text is a place as a message may name it.
    static func isPlace(_ text: String) -> Bool {
        text.utf8.count <= PeerAddress.maximumTextBytes && PlaceText.isWellFormed(text)
    }

    /// Whether a text is a version or a code as a message may carry it: letters, digits, and `._+~-`.
    static func isWord(_ text: String) -> Bool { text.utf8.allSatisfy(isWordByte) }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "._+~-".utf8.contains(byte)
        }
    }

    private static func code(_ text: String) -> String { word(text, ofAtMost: maximumCodeBytes) }

    private static func word(_ text: String, ofAtMost limit: Int) -> String {
        String(decoding: text.utf8.prefix(limit).map { isWordByte($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
    }

    /// A duration in whole milliseconds that a message can carry.
    private static func bounded(_ age: Duration) -> Duration {
        .milliseconds(Int64(min(max(age, .zero), maximumAge) / .milliseconds(1)))
    }
}
