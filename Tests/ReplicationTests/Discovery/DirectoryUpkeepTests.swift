import Cryptography
import OperationLog
import OperationLogFixtures
import Testing
import Time

@testable import Replication

extension PeerDirectory {
    /// Tells who is connected, and nobody else.
    private mutating func note(connected: Set<DeviceID>) {
        for device in self.connected.union(connected) { note(device, isConnected: connected.contains(device)) }
    }

    /// The places to dial now, while these devices are connected.
    mutating func dials(connected: Set<DeviceID>, at now: Instant) -> [DialTarget] {
        note(connected: connected)
        return dials(at: now)
    }

    /// When the next dial may be due, while these devices are connected.
    mutating func next(connected: Set<DeviceID>) -> Instant? {
        note(connected: connected)
        return next()
    }

    /// What ``waiting`` is to be, as all places together tell.
    fileprivate var plainlyWaiting: Set<String> {
        let idle = places.values.filter { $0.phase == .idle }
        return Set(idle.filter { $0.device.map { !connected.contains($0) } ?? true && !isAtRest($0) }.map(\.address))
    }

    /// Whether a place is not dialed before something happens.
    private func isAtRest(_ place: Entry) -> Bool {
        guard place.hintSource != nil, let rest = place.device.flatMap({ resting[$0] }) else { return false }
        return rest.end == nil
    }

    /// What ``next()`` is to be, as all places together tell.
    fileprivate var plainNext: Instant? {
        let allDialed = places.values.filter { $0.phase == .dialing }
        return plainlyWaiting.compactMap { places[$0] }.compactMap { place in
            if let source = place.hintSource {
                let dialed = allDialed.filter { $0.standing == place.standing }.compactMap(\.hintSource)
                let ofSource = dialed.count { $0 == source }
                guard dialed.count < Self.maximumDials, ofSource < Self.maximumDialsPerSource else { return nil }
            }
            let rest = place.hintSource == nil ? nil : place.device.flatMap { resting[$0]?.end }
            let other = place.other.flatMap { connected.contains($0.device) ? $0.lookAgain : nil }
            let latest = allDialed.filter { $0.device != nil && $0.device == place.device }.compactMap(\.dialedAt).max()
            let staggered = latest.map { $0 + .milliseconds(500) }
            return [place.next, place.device.flatMap { bans[$0] }, rest, other, staggered].compactMap { $0 }.max()
        }
        .min()
    }
}

/// What a directory keeps so that nothing that happens to one place costs a look at all.
@Suite("The upkeep of a directory")
struct DirectoryUpkeepTests {
    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `agrees with a look at all places, whatever happens`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let devices = (0..<12).map { DeviceID(digest: .hash("device", [$0])) }
        let addresses = (0..<24).map { "10.0.\($0 % 3).\($0 / 3 + 1):1" }
        var directory = PeerDirectory(own: devices[0], staticPeers: ["bob.example:1", addresses[0]])
        var now = Instant(sinceStart: .zero)
        var underWay: [DialTarget] = []
        for _ in 0..<300 {
            let (device, address) = (devices.randomElement(using: &random), addresses.randomElement(using: &random))
            guard let device, let address, let teller = devices.randomElement(using: &random),
                let standing = PlaceStanding.allCases.randomElement(using: &random)
            else { continue }
            switch Int.random(in: 0..<14, using: &random) {
            case 0: directory.hint(device, at: address, standing: standing, now: now)
            case 1: directory.learn(address, of: device, standing: standing, at: now)
            case 2:
                directory.learn(
                    address, of: device, standing: standing, from: teller, isOnThisHost: false, at: now)
            case 3: directory.keep(address, of: device, at: now)
            case 4: directory.note(device, isConnected: Bool.random(using: &random))
            case 5, 6: directory.ban(device, at: now)
            case 11: directory.rest(device, until: Bool.random(using: &random) ? now + .seconds(1) : nil)
            case 12: directory.wake(device, at: Bool.random(using: &random) ? now : nil)
            case 13: directory.name(Bool.random(using: &random) ? [address, "bob.example:1"] : [], at: now)
            case 7: now = now + .milliseconds(Int.random(in: 0..<2_000, using: &random))
            case 8:
                guard let target = underWay.randomElement(using: &random) else { continue }
                directory.reached(target, device, isFamiliar: Bool.random(using: &random))
            case 9:
                guard let index = underWay.indices.randomElement(using: &random) else { continue }
                let target = underWay.remove(at: index)
                let outcomes: [DialOutcome] = [.met, .failed("refused"), .givenUp, .ourselves, .metElsewhere(device)]
                directory.ended(
                    target, outcomes[Int.random(in: 0..<5, using: &random)], at: now, using: &random)
            default:
                let isDue = directory.plainNext.map { $0 <= now } ?? false
                let found = directory.dials(at: now)
                #expect(found.isEmpty != isDue)
                underWay += found
            }
            #expect(directory.waiting == directory.plainlyWaiting)
            #expect(directory.next() == directory.plainNext)
        }
    }

    @Test func `dials nobody with whom the node has parted, before it has a reason or their time has come`() {
        let (bob, carol) = (DeviceID(digest: .hash("bob")), DeviceID(digest: .hash("carol")))
        var directory = PeerDirectory(own: DeviceID(digest: .hash("own")), staticPeers: [])
        let now = Instant(sinceStart: .zero)
        directory.learn("10.0.0.2:1", of: bob, at: now)
        directory.learn("10.0.0.3:1", of: carol, at: now)
        directory.rest(bob, until: nil)
        directory.rest(carol, until: now + .seconds(300))
        #expect(directory.next() == now + .seconds(300))
        #expect(directory.dials(at: now + .seconds(299)).isEmpty)
        #expect(directory.dials(at: now + .seconds(300)).map(\.address) == ["10.0.0.3:1"])
        directory.wake(bob, at: now + .seconds(301))
        #expect(directory.dials(at: now + .seconds(301)).map(\.address) == ["10.0.0.2:1"])
    }

    @Test func `goes on dialing a place that the user named, and forgets whom it parted with longest ago`() {
        let own = DeviceID(digest: .hash("own"))
        let devices = (0...PeerDirectory.maximumResting).map { number in
            DeviceID(digest: .hash("device", [UInt8(number & 255), UInt8(number >> 8)]))
        }
        var directory = PeerDirectory(own: own, staticPeers: [])
        let now = Instant(sinceStart: .zero)
        directory.keep("10.0.0.2:1", of: devices[0], at: now)
        for device in devices { directory.rest(device, until: nil) }
        #expect(directory.resting.count == PeerDirectory.maximumResting)
        #expect(!directory.isResting(devices[0], at: now))
        directory.rest(devices[0], until: nil)
        #expect(directory.dials(at: now).map(\.address) == ["10.0.0.2:1"])
    }

    @Test func `dials the places that the user names anew, and no longer those that they named before`() {
        let (bob, carol) = (DeviceID(digest: .hash("bob")), DeviceID(digest: .hash("carol")))
        var directory = PeerDirectory(own: DeviceID(digest: .hash("own")), staticPeers: ["10.0.0.2:1", "10.0.0.3:1"])
        let now = Instant(sinceStart: .zero)
        directory.keep("10.0.0.4:1", of: bob, at: now)
        directory.hint(carol, at: "10.0.0.5:1", now: now)
        directory.rest(carol, until: nil)
        directory.name(["10.0.0.3:1", "10.0.0.5:1", "10.0.0.6:1"], at: now)
        let dialed = directory.dials(at: now).map(\.address).sorted()
        #expect(dialed == ["10.0.0.3:1", "10.0.0.4:1", "10.0.0.5:1", "10.0.0.6:1"])
        #expect(!directory.isNamed("10.0.0.2:1") && directory.isNamed("10.0.0.5:1"))
        // A code said who is there, and that is not what a file of settings takes back.
        directory.name([], at: now)
        #expect(directory.isNamed("10.0.0.4:1") && !directory.isNamed("10.0.0.3:1"))
    }

    @Test func `finds nothing to wait for where everybody is connected`() {
        let own = DeviceID(digest: .hash("own"))
        var directory = PeerDirectory(own: own, staticPeers: [])
        let now = Instant(sinceStart: .zero)
        for number in 0..<200 as Range<UInt8> {
            let device = DeviceID(digest: .hash("device", [number]))
            directory.learn("10.0.0.\(number):1", of: device, at: now)
            directory.note(device, isConnected: true)
        }
        #expect(directory.waiting.isEmpty)
        #expect(directory.next() == nil)
    }
}
