import Cryptography
import OperationLog
import OperationLogFixtures
import Replication
import Testing
import Time

@Suite("Beacons")
struct BeaconTests {
    private let beacon = Beacon(
        device: DeviceID(digest: .hash("device")), instance: 0x0102_0304_0506_0708, port: 47_470)

    @Test
    func `are 47 bytes and are read as they were written`() throws {
        #expect(beacon.encoded.count == 47)
        #expect(try Beacon(decoding: beacon.encoded) == beacon)
    }

    @Test
    func `are refused when cut, extended, of another version or without a port`() {
        let bytes = beacon.encoded
        for length in bytes.indices {
            #expect(throws: MalformedBytes.self) { try Beacon(decoding: Array(bytes.prefix(length))) }
        }
        #expect(throws: MalformedBytes.trailing(count: 1)) { try Beacon(decoding: bytes + [0]) }
        var other = bytes
        other[4] = 2
        #expect(throws: MalformedBytes.invalid(field: "version")) { try Beacon(decoding: other) }
        #expect(throws: MalformedBytes.invalid(field: "port")) { try Beacon(decoding: bytes.prefix(45) + [0, 0]) }
        #expect(throws: MalformedBytes.tooLong(field: "beacon", limit: 128)) {
            try Beacon(decoding: Array(repeating: 0, count: 129))
        }
    }

    @Test func `of another version of the protocol tell which, whatever follows`() throws {
        let ours = Beacon(device: DeviceID(digest: .hash("test")), instance: 1, port: 1).encoded
        #expect(Beacon.otherVersion(in: ours) == nil)
        #expect(Beacon.otherVersion(in: Array("MOOT".utf8) + [2]) == 2)
        #expect(Beacon.otherVersion(in: Array("MOOT".utf8) + [0] + ours) == 0)
        for other in [
            [], Array("MOOT".utf8), Array("MOOD".utf8) + [2], Array("MOOT".utf8) + [UInt8](repeating: 2, count: 125),
        ] {
            #expect(Beacon.otherVersion(in: other) == nil)
        }
    }

    @Test
    func `go out three times in the first second and then about every half minute`() {
        var random = SplitMix64(seed: 1)
        var schedule = BeaconSchedule(instance: 1)
        schedule.begin(at: Instant(sinceStart: .zero))
        var sent: [Duration] = []
        while sent.count < 6, let next = schedule.next {
            if schedule.isDue(at: next, using: &random) { sent.append(next.sinceStart) }
        }
        #expect(sent.prefix(3) == [.zero, .milliseconds(250), .seconds(1)])
        for (earlier, later) in zip(sent.dropFirst(2), sent.dropFirst(3)) {
            #expect((Duration.seconds(24)...Duration.seconds(36)).contains(later - earlier))
        }
    }
}

@Suite("Finding peers")
struct PeerDirectoryTests {
    private let own = DeviceID(digest: .hash("own"))
    private let bob = DeviceID(digest: .hash("bob"))

    private func moment(_ milliseconds: Int64) -> Instant { Instant(sinceStart: .milliseconds(milliseconds)) }

    @Test(arguments: [DialOutcome.failed("refused"), .met])
    func `a place that fails, or is left at once, is tried ever later and never given up if the user named it`(
        outcome: DialOutcome
    ) {
        var random = SplitMix64(seed: 2)
        var directory = PeerDirectory(own: own, staticPeers: ["192.0.2.1:1"])
        var now = moment(0)
        var waits: [Duration] = []
        for _ in 0..<20 {
            let due = directory.dials(connected: [], at: now)
            #expect(due.map(\.address) == ["192.0.2.1:1"])
            #expect(directory.dials(connected: [], at: now).isEmpty, "one dial at a time")
            directory.ended(due[0], outcome, at: now, using: &random)
            guard let next = directory.next(connected: []) else { break }
            waits.append(next - now)
            now = next
        }
        #expect(waits.count == 20)
        #expect(waits[0] < .seconds(1))
        #expect(waits.allSatisfy { $0 <= .milliseconds(37_500) })
        #expect(waits[15] > .seconds(20))
        // After a connection that lasted it is tried at once.
        let due = directory.dials(connected: [], at: now)
        directory.ended(due[0], .met, at: now + .seconds(60), using: &random)
        #expect(directory.next(connected: []).map { $0 < now + .seconds(61) } == true)
    }

    @Test
    func `a beacon brings a dial at once, but not to ourselves, to the connected or to the banned`() {
        var directory = PeerDirectory(own: own, staticPeers: [])
        directory.hint(own, at: "192.168.2.9:1", now: moment(0))
        directory.hint(bob, at: "192.168.2.2:1", now: moment(0))
        #expect(directory.dials(connected: [bob], at: moment(1)).isEmpty)
        directory.ban(bob, at: moment(1))
        #expect(directory.dials(connected: [], at: moment(2)).isEmpty)
        #expect(directory.dials(connected: [], at: moment(700_000)).map(\.address) == ["192.168.2.2:1"])
    }

    @Test
    func `a place of a contact code is never given up, and belongs to whom the user says`() {
        var random = SplitMix64(seed: 3)
        var directory = PeerDirectory(own: own, staticPeers: [])
        let stranger = DeviceID(digest: .hash("stranger"))
        directory.keep("192.0.2.9:1", of: own, at: moment(0))
        directory.hint(stranger, at: "192.168.2.2:1", now: moment(0))
        directory.keep("192.168.2.2:1", of: bob, at: moment(0))
        var now = moment(0)
        for _ in 0..<20 {
            let due = directory.dials(connected: [], at: now)
            #expect(due == [DialTarget(address: "192.168.2.2:1", device: bob)])
            guard let target = due.first else { return }
            directory.ended(target, .failed("refused"), at: now, using: &random)
            guard let next = directory.next(connected: []) else { break }
            now = next
        }
        #expect(directory.dials(connected: [bob], at: now).isEmpty)
    }

    @Test
    func `a place where somebody answers who is connected is dialed when they are lost`() {
        var random = SplitMix64(seed: 4)
        let (made, place) = (DeviceID(digest: .hash("made up")), "192.168.0.9:1")
        var directory = PeerDirectory(own: own, staticPeers: [])
        directory.note(bob, isConnected: true)
        directory.hint(made, at: place, now: moment(0))
        directory.ended(directory.dials(at: moment(0))[0], .metElsewhere(bob), at: moment(1), using: &random)
        #expect(directory.dials(at: moment(60_000)).isEmpty && directory.next() == nil)
        directory.note(bob, isConnected: false)
        #expect(directory.dials(at: moment(60_001)).map(\.address) == [place])
    }

    @Test
    func `a named place where somebody answers who is connected is looked at twice a minute, or once they are lost`() {
        var random = SplitMix64(seed: 5)
        var directory = PeerDirectory(own: own, staticPeers: ["192.0.2.1:1"])
        directory.note(bob, isConnected: true)
        directory.ended(directory.dials(at: moment(0))[0], .metElsewhere(bob), at: moment(1), using: &random)
        #expect(directory.dials(at: moment(20_000)).isEmpty)
        let again = directory.dials(at: moment(31_000))
        #expect(again.map(\.device) == [nil], "whoever is there tomorrow is welcome")
        directory.ended(again[0], .metElsewhere(bob), at: moment(31_000), using: &random)
        directory.note(bob, isConnected: false)
        #expect(directory.next().map { $0 <= moment(31_400) } == true)
        #expect(directory.dials(at: moment(31_400)).count == 1)
    }

    /// Whoever holds it for a moment can hand a dial on to the one who dials.
    @Test(arguments: [true, false])
    func `a place where this node itself answered is forgotten, unless the user named it`(isNamed: Bool) throws {
        var random = SplitMix64(seed: 9)
        let place = "192.168.0.1:1"
        var directory = PeerDirectory(own: own, staticPeers: isNamed ? [place] : [])
        if !isNamed { directory.hint(bob, at: place, now: moment(0)) }
        let target = try #require(directory.dials(at: moment(0)).first)
        directory.ended(target, .ourselves, at: moment(10), using: &random)
        #expect(directory.dials(at: moment(60_000)).map(\.address) == (isNamed ? [place] : []))
    }

    @Test
    func `a place where the connection was given up comes after others of the device`() {
        var random = SplitMix64(seed: 6)
        let (relay, home) = ("192.168.0.9:1", "192.168.0.1:1")
        var directory = PeerDirectory(own: own, staticPeers: [])
        directory.hint(bob, at: relay, now: moment(0))
        let target = directory.dials(at: moment(0))[0]
        directory.reached(target, bob, isFamiliar: true)
        directory.note(bob, isConnected: true)
        directory.hint(bob, at: home, standing: .familiar, now: moment(10))
        #expect(directory.dials(at: moment(11)).isEmpty)
        directory.note(bob, isConnected: false)
        directory.doubt(bob)
        directory.ended(target, .givenUp, at: moment(9_000), using: &random)
        #expect(directory.dials(at: moment(10_000)).map(\.address) == [home], "both are due")
    }

    @Test
    func `of a connected device no place outside the local networks is learned from a beacon`() {
        var directory = PeerDirectory(own: own, staticPeers: [])
        directory.note(bob, isConnected: true)
        directory.hint(bob, at: "8.8.8.8:1", standing: .familiar, now: moment(0))
        directory.note(bob, isConnected: false)
        #expect(directory.dials(at: moment(1)).isEmpty)
    }

    @Test
    func `of two connections of a pair both sides keep the same one`() {
        let (low, high) = own < bob ? (own, bob) : (bob, own)
        for age in [Duration.zero, SecureChannel.handshakeDeadline * 2] {
            #expect(ConnectionArbiter.replaces(existingDialer: high, newDialer: low, age: age))
            #expect(!ConnectionArbiter.replaces(existingDialer: low, newDialer: high, age: age))
            #expect(ConnectionArbiter.replaces(existingDialer: low, newDialer: low, age: age))
        }
        // The other side has none any more, or it had not said who it is.
        #expect(ConnectionArbiter.replaces(existingDialer: low, newDialer: high, age: .seconds(7)))
    }
}
