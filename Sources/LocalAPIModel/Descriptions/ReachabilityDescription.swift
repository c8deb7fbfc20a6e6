/// Where others are and why they are not reached, as far as the node knows.
public struct ReachabilityDescription: Hashable, Sendable, Codable {
    /// A place where the node looks for others in vain.
    public struct Place: Hashable, Sendable, Codable {
        /// `host:port`, as it was written or heard.
        public var address: String
        /// The id of the device that is said to be there.
        public var device: String?
        /// What its user is called.
        public var name: String?
        /// Whether the user named the place.
        public var named: Bool
        /// Dials that failed one after the other.
        public var failures: Int
        /// The stable code of what ended the last one.
        public var error: String?
        /// The same in words.
        public var reason: String?

        package init(
            address: String, device: String? = nil, name: String? = nil, named: Bool, failures: Int,
            error: String? = nil, reason: String? = nil
        ) {
            self.address = address
            self.device = device
            self.name = name
            self.named = named
            self.failures = failures
            self.error = error
            self.reason = reason
        }
    }

    /// The latest beacon of another device.
    public struct Beacon: Hashable, Sendable, Codable {
        /// The id of the device.
        public var device: String
        /// Where it can be dialed, if the beacon is right.
        public var address: String
        /// How many seconds ago it was heard.
        public var seconds: Double

        package init(device: String, address: String, seconds: Double) {
            self.device = device
            self.address = address
            self.seconds = seconds
        }
    }

    /// A device that broke the protocol.
    public struct Ban: Hashable, Sendable, Codable {
        /// The id of the device.
        public var device: String
        /// What its user is called.
        public var name: String?
        /// In how many seconds it is heard again.
        public var secondsLeft: Double

        package init(device: String, name: String? = nil, secondsLeft: Double) {
            self.device = device
            self.name = name
            self.secondsLeft = secondsLeft
        }
    }

    /// Keys of a conversation that do not open on this device.
    public struct MissingKeys: Hashable, Sendable, Codable {
        /// The id of the conversation.
        public var conversation: String
        /// How many.
        public var count: Int

        package init(conversation: String, count: Int) {
            self.conversation = conversation
            self.count = count
        }
    }

    /// Where the node looks for others in vain.
    public var places: [Place]
    /// The beacons of others.
    public var beacons: [Beacon]
    /// How many seconds ago the node heard a beacon of its own; absent if it never did.
    public var ownBeaconSeconds: Double?
    /// Devices that broke the protocol.
    public var bans: [Ban]
    /// Keys that do not open, by conversation; absent where all do.
    public var missingKeys: [MissingKeys]

    package init(
        places: [Place], beacons: [Beacon], ownBeaconSeconds: Double? = nil, bans: [Ban], missingKeys: [MissingKeys]
    ) {
        self.places = places
        self.beacons = beacons
        self.ownBeaconSeconds = ownBeaconSeconds
        self.bans = bans
        self.missingKeys = missingKeys
    }
}
