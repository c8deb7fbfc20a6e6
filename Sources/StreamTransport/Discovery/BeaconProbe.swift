import Dispatch
import Synchronization

/// Finds out whether beacons leave this host and come back to it, by every way on every usable interface.
///
/// What is sent is no beacon, so nodes that hear it ignore it. A host hears its own multicasts and broadcasts as those
/// of others: what a firewall of the host drops of others it drops of these too.
public enum BeaconProbe {
    /// A datagram that was to be sent.
    public struct Departure: Hashable, Sendable {
        /// The interface.
        public let interface: NetworkInterface
        /// The way.
        public let way: BeaconWay
        let datagram: [UInt8]
        /// Why it did not leave; nil if it did.
        public let failure: TransportError?
    }

    /// What became of it.
    public struct Outcome: Hashable, Sendable {
        /// What was sent.
        public let departure: Departure
        /// Whether it came back.
        public let isHeard: Bool
    }

    /// How often each datagram is sent, and how long its return is waited for each time.
    private static let tries = 3
    private static let timeout = Duration.milliseconds(250)

    /// Sends and listens, for less than a second.
    ///
    /// - Parameter marker: Tells these datagrams from those of another probe on the network.
    /// - Throws: what keeps this host from listening on the port of beacons at all.
    public static func run(
        _ configuration: BeaconSocket.Configuration = .init(), marker: UInt64
    ) async throws(TransportError) -> [Outcome] {
        let queue = DispatchQueue(label: "moot.probe")
        let heard = HeardDatagrams()
        let transceiver = try BeaconTransceiver(configuration, queue: queue) { event in
            if case .heard(let bytes, _) = event { heard.note(bytes) }
        }
        if let deafness = transceiver.deafness { throw deafness }
        let post = QueueConfined(transceiver, on: queue)
        defer { post.later { $0.stop() } }
        var outcomes: [Outcome] = []
        for _ in 0..<tries {
            let departures: [Departure] = await withCheckedContinuation { continuation in
                post.later { transceiver in
                    continuation.resume(
                        returning: transceiver.probe { Self.datagram(marker, $0, $1) })
                }
            }
            let end = ContinuousClock.now + timeout
            repeat {
                // Whoever ends the command ends the wait.
                try? await Task.sleep(for: .milliseconds(10))
                outcomes = departures.map { Outcome(departure: $0, isHeard: heard.contains($0.datagram)) }
            } while ContinuousClock.now < end && outcomes.contains { !$0.isHeard && $0.departure.failure == nil }
            guard outcomes.contains(where: { !$0.isHeard }) else { break }
        }
        return outcomes
    }

    private static func datagram(_ marker: UInt64, _ interface: NetworkInterface, _ way: BeaconWay) -> [UInt8] {
        Array("moot doctor \(marker) \(interface.index) \(way.rawValue)".utf8)
    }
}

/// What was heard so far.
private final class HeardDatagrams: Sendable {
    /// Whoever floods the port fills no memory.
    private static let maximumCount = 4_096
    private let datagrams = Mutex<Set<[UInt8]>>([])

    func note(_ bytes: [UInt8]) {
        datagrams.withLock { if $0.count < Self.maximumCount { $0.insert(bytes) } }
    }

    func contains(_ bytes: [UInt8]) -> Bool { datagrams.withLock { $0.contains(bytes) } }
}
