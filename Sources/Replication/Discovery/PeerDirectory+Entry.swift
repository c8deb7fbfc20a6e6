import OperationLog
import Time

extension PeerDirectory {
    /// Who says that there is something at a place.
    enum HintSource: Hashable, Sendable {
        /// The host itself, by a beacon or a connection.
        case host(String)
        /// A connected device.
        case device(DeviceID)

        /// The host of an address, as limits count it.
        static func host(at address: String) -> HintSource {
            .host(LocalAddress.source(LocalAddress.host(of: address)))
        }
    }

    enum Phase: Sendable {
        /// Nothing is under way. Next: dialing.
        case idle
        /// A dial is under way, or the handshake after it. Next: connected, idle.
        case dialing
        /// The connection is up. Next: idle.
        case connected
    }

    struct Entry: Sendable {
        let address: String
        /// Who is there, as far as anybody knows.
        var device: DeviceID?
        /// Nil for a place that the user named.
        var hintSource: HintSource?
        /// What is known of that device there.
        var standing = PlaceStanding.unknown
        /// Who is there, and what is known of them, if it is not the device that says so and is tried there.
        var former: (device: DeviceID?, standing: PlaceStanding)?
        /// When that was tried in vain.
        var trialFailedAt: Instant?
        var phase = Phase.idle
        var failures = 0
        var dialedAt: Instant?
        var next: Instant
        /// Whether somebody proved there who they are since the last failure.
        var isProven = false
        /// The stable code of what was wrong at the last try; nil before it, and where somebody was met.
        var lastError: String?
        /// Who answered at the last try and is met elsewhere, at a place that the user named without saying who is
        /// there.
        var other: Other?
        /// Smaller for what was learned earlier.
        let order: Int

        /// Whether the last connection there was given up. No beacon makes that good: something in between may have
        /// swallowed what was said.
        var wasGivenUp: Bool { lastError == PeerDirectory.givenUp }

        /// Smaller for what is dialed first, of what is due.
        var rank: Int { hintSource == nil ? -1 : PlaceStanding.met.rawValue - standing.rawValue }

        /// Notes who is said to be there.
        mutating func take(_ device: DeviceID, _ standing: PlaceStanding) {
            if self.device != device { isProven = false }
            // What the device has said itself counts more than what anybody may say.
            self.standing = self.device == device && self.standing == .told ? .told : standing
            self.device = device
        }

        /// Notes that the device that says it is there is tried there no more.
        mutating func endTrial() {
            guard standing == .told else { return }
            (device, standing) = former ?? (device, .familiar)
            former = nil
        }

        /// Whether it was dialed longer ago than another place, or was learned earlier where neither was.
        func wasDialedBefore(_ other: Entry) -> Bool {
            let never = Instant(sinceStart: .zero)
            return (dialedAt ?? never, order) < (other.dialedAt ?? never, other.order)
        }
    }

    /// A device that is met elsewhere.
    struct Other: Sendable {
        let device: DeviceID
        /// When it is looked who is there now, if the device is connected all the time.
        let lookAgain: Instant
    }
}
