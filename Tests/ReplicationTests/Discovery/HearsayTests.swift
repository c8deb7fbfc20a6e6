import Cryptography
import OperationLog
import OperationLogFixtures
import Testing
import Time

@testable import Replication

/// What a stranger can make of places where they say that somebody is.
@Suite("Hearsay about places")
struct HearsayTests {
    private let own = DeviceID(digest: .hash("own"))
    private let bob = DeviceID(digest: .hash("bob"))
    private let mallory = DeviceID(digest: .hash("mallory"))
    private let start = Instant(sinceStart: .zero)

    private func device(_ number: Int) -> DeviceID {
        DeviceID(digest: .hash("d", [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]))
    }

    private func directory() -> PeerDirectory { PeerDirectory(own: own, staticPeers: []) }

    @Test(arguments: [
        "10.0.0.7:47470", "172.16.0.1:1", "172.31.255.255:65535", "192.168.1.1:80", "169.254.3.4:9", "[fd00::7]:47470",
        "[fc00:1:2:3:4:5:6:7]:1",
    ])
    func `addresses of local networks are dialed`(address: String) {
        var directory = directory()
        directory.learn(address, of: bob, from: mallory, isOnThisHost: false, at: start)
        let found = directory.dials(connected: [], at: start)
        #expect(found.map(\.address) == [address])
    }

    @Test(arguments: [
        "example.org:80", "localhost:80", "bob:47470", "8.8.8.8:53", "127.0.0.1:22", "172.32.0.1:1", "192.0.2.1:1",
        "0.0.0.0:1", "255.255.255.255:1", "224.0.0.1:1", "010.0.0.1:1", "10.0.1:1", "10.0.0.1.2:1", "10.0.0.256:1",
        "10.0.0.1:0", "10.0.0.1:65536", "10.0.0.1:", "10.0.0.1", "", ":", "[::1]:1", "[fe80::1%2]:1", "[2001:db8::1]:1",
        "[::ffff:10.0.0.1]:1", "[fd00::1::2]:1", "[fd00:1:2:3:4:5:6:7:8]:1", "[fd00::12345]:1", "[fd00::]x:1", "[]:1",
        "[fd00:+1::]:1", "[fd00::1%2]:1", "fd00::7:47470",
    ])
    func `names, other networks and this host are not dialed on the word of a peer`(address: String) {
        var directory = directory()
        directory.learn(address, of: bob, from: mallory, isOnThisHost: false, at: start)
        let found = directory.dials(connected: [], at: start)
        #expect(found.isEmpty)
    }

    @Test
    func `a peer on this host may tell of others on it, and a beacon of its own link`() {
        var directory = directory()
        directory.learn("127.0.0.1:1", of: bob, from: mallory, isOnThisHost: true, at: start)
        directory.hint(device(1), at: "[fe80::1%2]:1", now: start)
        directory.hint(device(2), at: "198.51.100.1:1", now: start)
        let due = directory.dials(connected: [], at: start)
        #expect(Set(due.map(\.address)) == ["127.0.0.1:1", "[fe80::1%2]:1"])
    }

    @Test
    func `at most sixteen are dialed at once, and four of one source of hints`() {
        var random = SplitMix64(seed: 1)
        var directory = directory()
        for number in 0..<40 {
            directory.learn(
                "10.0.0.\(number):1", of: device(number), from: mallory, isOnThisHost: false, at: start)
        }
        let first = directory.dials(connected: [], at: start)
        #expect(first.count == 4)
        for number in 0..<40 { directory.hint(device(number + 100), at: "10.0.1.\(number):1", now: start) }
        let others = directory.dials(connected: [], at: start)
        #expect(first.count + others.count == PeerDirectory.maximumDials)
        #expect(directory.next(connected: []) == nil, "nothing is due before one of them has ended")
        directory.ended(first[0], .failed("refused"), at: start, using: &random)
        let found = directory.dials(connected: [], at: start)
        #expect(found.count == 1)
    }

    @Test
    func `what the user named is dialed whatever others say`() {
        var directory = PeerDirectory(own: own, staticPeers: ["bob.example:1"])
        for number in 0..<200 { directory.hint(device(number), at: "10.0.0.\(number):1", now: start) }
        let due = directory.dials(connected: [], at: start)
        #expect(due.count == PeerDirectory.maximumDials + 1)
        #expect(due.contains { $0.address == "bob.example:1" })
    }

    @Test
    func `nobody fills the places of others`() {
        var directory = directory()
        for number in 0..<5_000 {
            directory.learn(
                "10.1.\(number / 250).\(number % 250):1", of: device(number), from: mallory, isOnThisHost: false,
                at: start)
        }
        directory.hint(bob, at: "10.0.0.2:1", now: start)
        let due = directory.dials(connected: [], at: start)
        #expect(due.contains { $0.address == "10.0.0.2:1" })
    }

    @Test
    func `many sources of hints together displace nobody who was met, and nobody new`() {
        var random = SplitMix64(seed: 1)
        var directory = directory()
        directory.hint(bob, at: "10.0.0.2:1", now: start)
        let met = directory.dials(connected: [], at: start)
        #expect(met.map(\.address) == ["10.0.0.2:1"])
        directory.reached(met[0], bob)
        for number in 0..<5_000 {
            directory.hint(device(number), at: "10.1.\(number / 250).\(number % 250):1", now: start)
        }
        directory.hint(mallory, at: "10.0.0.3:1", now: start)
        directory.ended(met[0], .met, at: start, using: &random)
        var dialed: Set<String> = []
        var now = start
        for _ in 0..<2_000 {
            now = now + .milliseconds(50)
            for target in directory.dials(connected: [], at: now) {
                dialed.insert(target.address)
                directory.ended(target, .failed("refused"), at: now, using: &random)
            }
        }
        #expect(dialed.contains("10.0.0.2:1"))
        #expect(dialed.contains("10.0.0.3:1"))
    }

    @Test
    func `a wrong word about who is at a place keeps nobody from meeting whoever is there`() {
        var random = SplitMix64(seed: 1)
        var directory = directory()
        // Mallory is connected, and says that they are where Bob is.
        directory.hint(mallory, at: "10.0.0.2:1", now: start)
        let found = directory.dials(connected: [mallory], at: start)
        #expect(found.isEmpty)
        directory.hint(bob, at: "10.0.0.2:1", now: start)
        let due = directory.dials(connected: [mallory], at: start)
        #expect(due == [DialTarget(address: "10.0.0.2:1", device: nil)], "and nobody is expected there")
        directory.reached(due[0], bob)
        directory.hint(mallory, at: "10.0.0.2:1", now: start)
        directory.ended(due[0], .met, at: start, using: &random)
        let later = start + .seconds(1)
        let again = directory.dials(connected: [mallory], at: later)
        #expect(again.map(\.address) == ["10.0.0.2:1"])
    }

    @Test
    func `those who break the protocol under ever new names are not all remembered`() {
        var directory = directory()
        for number in 0..<3_000 { directory.ban(device(number), at: start + .milliseconds(number)) }
        #expect(!directory.isBanned(device(0), at: start + .seconds(4)))
        #expect(directory.isBanned(device(2_999), at: start + .seconds(4)))
    }

    @Test func `whoever is on this host is one host, however many of its addresses they use`() {
        var filter = BeaconFilter()
        let own = (1...200).map { "127.0.\($0).1" } + ["[::1]"]
        let heard = own.count { filter.admits($0, naming: mallory, at: start) }
        #expect(heard == 16)
        let isHeard = filter.admits("10.0.0.1", naming: bob, at: start)
        #expect(isHeard)
        var directory = directory()
        for number in 1...20 { directory.hint(device(number), at: "127.0.0.\(number):1", now: start) }
        let dialed = directory.dials(connected: [], at: start)
        #expect(dialed.count == PeerDirectory.maximumDialsPerSource)
    }

    @Test
    func `of one host's beacons only so many are looked at, and others' are`() {
        var filter = BeaconFilter()
        let heard = (0..<1_000).count { _ in filter.admits("10.0.0.66", naming: mallory, at: start) }
        #expect(heard == 16)
        let isHeard = filter.admits("10.0.0.2", naming: bob, at: start)
        #expect(isHeard)
        let all = (0..<100_000).count {
            filter.admits("10.\($0 / 65_536).\($0 / 256 % 256).\($0 % 256)", naming: mallory, at: start)
        }
        #expect(all < 256)
        let isHeardLater = filter.admits("10.0.0.2", naming: bob, at: start + .seconds(60))
        #expect(isHeardLater)
    }

    /// Noise of another user of Bob's host, and from everywhere.
    private func noise(in filter: inout BeaconFilter) {
        for number in 0..<1_000 {
            _ = filter.admits("10.0.0.2", naming: device(number), at: start)
            _ = filter.admits("10.1.\(number / 250).\(number % 250)", naming: device(number), at: start)
        }
    }

    @Test(arguments: [PlaceStanding.familiar, .met])
    func `a familiar device is heard whatever else is sent from its address, and so often`(standing: PlaceStanding) {
        var filter = BeaconFilter()
        noise(in: &filter)
        let isStrangerHeard = filter.admits("10.0.0.2", naming: mallory, at: start)
        #expect(!isStrangerHeard)
        let heard = (0..<1_000).count { _ in filter.admits("10.0.0.2", naming: bob, standing: standing, at: start) }
        #expect(heard == 16)
        let isHeardLater = filter.admits("10.0.0.2", naming: bob, standing: standing, at: start + .seconds(1))
        #expect(isHeardLater)
    }

    @Test func `who names a device at other ports does not use up its share for the place where it was met`() {
        var filter = BeaconFilter()
        noise(in: &filter)
        for _ in 0..<1_000 { _ = filter.admits("10.0.0.2", naming: bob, standing: .familiar, at: start) }
        let isHeard = filter.admits("10.0.0.2", naming: bob, standing: .met, at: start)
        #expect(isHeard)
    }

    @Test func `the shares that are remembered are bounded`() {
        var filter = BeaconFilter()
        let heard = (0..<10_000).count { filter.admits("10.0.0.2", naming: device($0), standing: .familiar, at: start) }
        #expect(heard <= BeaconFilter.maximumShares + 16)
        let isHeardLater = filter.admits("10.0.0.2", naming: bob, standing: .met, at: start + .seconds(60))
        #expect(isHeardLater)
    }

    @Test(arguments: ["10.0.0.2", "10.0.0.66", "127.0.0.1", "[fe80::1%2]"])
    func `made-up devices whose ports accept and say nothing hold up nobody whom the user knows`(host: String) {
        var directory = directory()
        for number in 0..<200 {
            let madeUp = number.isMultiple(of: 2) ? host : "127.0.0.\(number)"
            directory.hint(device(number), at: "\(madeUp):\(number + 1)", now: start)
            directory.hint(device(number), at: "10.0.3.\(number):1", now: start)
            directory.learn("10.0.4.\(number):1", of: device(number), from: mallory, isOnThisHost: false, at: start)
        }
        #expect(directory.dials(at: start).count == PeerDirectory.maximumDials)
        directory.hint(bob, at: "\(host):47470", standing: .familiar, now: start)
        #expect(directory.dials(at: start).map(\.address) == ["\(host):47470"])
    }

    @Test func `a device is dialed first where it was met, whatever others say of devices that the user knows`() {
        var directory = directory()
        for number in 0..<200 {
            directory.hint(device(number), at: "10.0.0.2:\(number + 1)", standing: .familiar, now: start)
            directory.hint(device(number), at: "10.0.3.\(number):1", standing: .familiar, now: start)
        }
        #expect(directory.dials(at: start).count == PeerDirectory.maximumDials)
        directory.hint(bob, at: "10.0.0.2:47470", standing: .met, now: start)
        // Of whoever is said to be there now, nothing is known: Bob's place stays his.
        directory.hint(mallory, at: "10.0.0.2:47470", now: start)
        #expect(directory.dials(at: start).map(\.address) == ["10.0.0.2:47470"])
    }

    @Test func `of one source a few are dialed of each kind, and what is better known is dialed first`() {
        var random = SplitMix64(seed: 1)
        var directory = directory()
        for number in 0..<20 {
            directory.hint(device(number), at: "10.0.0.2:\(number + 1)", now: start)
            directory.hint(device(100 + number), at: "10.0.0.2:\(number + 101)", standing: .familiar, now: start)
        }
        let first = directory.dials(at: start)
        #expect(first.count == 2 * PeerDirectory.maximumDialsPerSource)
        for target in first { directory.ended(target, .failed("refused"), at: start, using: &random) }
        directory.hint(device(1), at: "10.0.0.2:47470", standing: .familiar, now: start)
        directory.hint(device(1), at: "10.0.0.2:47471", standing: .met, now: start)
        let second = directory.dials(at: start)
        #expect(second.first?.address == "10.0.0.2:47471")
        #expect(!second.contains { $0.address == "10.0.0.2:47470" }, "one dial of a device at a time")
    }

    @Test func `a place is not given to a made-up device while another place of its device is dialed`() {
        var directory = directory()
        directory.hint(bob, at: "10.0.0.7:47470", standing: .familiar, now: start)
        directory.hint(bob, at: "10.0.0.7:1", standing: .familiar, now: start)
        #expect(directory.dials(at: start).map(\.address) == ["10.0.0.7:47470"])
        directory.ban(mallory, at: start)
        directory.hint(mallory, at: "10.0.0.7:1", now: start)
        #expect(directory.dials(at: start + .seconds(1)).map(\.address) == ["10.0.0.7:1"])
    }

    /// They proved who they are there, and parted: their places are not dialed, so none of them fails.
    @Test func `strangers who were met make room for whom the user knows`() {
        var (directory, random) = (directory(), SplitMix64(seed: 8))
        for number in 0..<PeerDirectory.maximumHintsPerSource {
            directory.hint(device(number), at: "10.0.0.66:\(number + 1)", now: start)
            for target in directory.dials(at: start) {
                directory.reached(target, device(number))
                directory.rest(device(number), until: nil)
                directory.ended(target, .met, at: start, using: &random)
            }
        }
        directory.hint(bob, at: "10.0.0.66:47470", standing: .familiar, now: start)
        #expect(directory.dials(at: start).map(\.address) == ["10.0.0.66:47470"])
    }

    @Test(arguments: ["connected", "resting"])
    func `familiar devices that nobody looks for make room for one that is looked for`(state: String) {
        var (directory, random) = (directory(), SplitMix64(seed: 9))
        for number in 0..<PeerDirectory.maximumHintsPerSource {
            let (member, address) = (device(number), "10.0.0.66:\(number + 1)")
            directory.hint(member, at: address, standing: .familiar, now: start)
            for target in directory.dials(at: start) {
                directory.reached(target, member, isFamiliar: true)
                directory.ended(target, .met, at: start, using: &random)
            }
            if state == "resting" { directory.rest(member, until: nil) }
            directory.note(member, isConnected: state == "connected")
        }
        directory.hint(bob, at: "10.0.0.66:47470", now: start)
        #expect(directory.dials(at: start).map(\.address) == ["10.0.0.66:47470"])
    }

    @Test func `who has most places makes room first`() {
        var directory = directory()
        directory.hint(bob, at: "10.0.0.66:47470", standing: .familiar, now: start)
        for number in 0..<1_000 {
            let address = "10.0.0.66:\(number + 1)"
            directory.learn(address, of: device(number % 8), standing: .familiar, at: start)
        }
        #expect(directory.places["10.0.0.66:47470"]?.device == bob)
        #expect(directory.places.count == PeerDirectory.maximumHintsPerSource)
    }

    @Test func `a host that answers at every port that a peer names fills no more than its share and theirs`() {
        var (directory, random) = (directory(), SplitMix64(seed: 10))
        for number in 0..<1_000 {
            let address = "10.0.0.66:\(number + 1)"
            directory.learn(
                address, of: device(number), standing: .familiar, from: mallory, isOnThisHost: false, at: start)
            for target in directory.dials(at: start) {
                directory.reached(target, device(number), isFamiliar: true)
                directory.ended(target, .met, at: start, using: &random)
                directory.note(device(number), isConnected: true)
            }
        }
        #expect(directory.places.count == 2 * PeerDirectory.maximumHintsPerSource)
    }

    /// How long it takes to meet a device among made-up places of it, which beacons name 8 times a second.
    ///
    /// - Parameters:
    ///   - isFirst: whether the true place is known before all others.
    ///   - awake: when somebody answers there.
    ///   - fate: what becomes of a dial at a made-up place, and after how many milliseconds.
    private func timeToMeet(
        at home: String, isFirst: Bool, awake: Duration = .zero, madeUp: [String], fate: DialOutcome,
        after duration: Int
    ) -> Duration {
        var (directory, random, underWay) = (directory(), SplitMix64(seed: 7), [(DialTarget, end: Int)]())
        if isFirst { directory.hint(bob, at: home, standing: .familiar, now: start) }
        for time in stride(from: 0, to: 600_000, by: 25) {
            let now = start + .milliseconds(time)
            if time.isMultiple(of: 125) {
                for place in madeUp { directory.hint(bob, at: place, standing: .familiar, now: now) }
                directory.hint(bob, at: home, standing: .familiar, now: now)
            }
            for (target, end) in underWay where end == time {
                directory.note(bob, isConnected: false)
                directory.ended(target, target.address == home ? .failed("silent") : fate, at: now, using: &random)
            }
            underWay.removeAll { $0.end == time }
            for target in directory.dials(at: now) {
                let isHome = target.address == home
                if isHome, .milliseconds(time) >= awake { return .milliseconds(time) }
                if !isHome, fate == .givenUp {
                    directory.reached(target, bob, isFamiliar: true)
                    directory.note(bob, isConnected: true)
                    directory.doubt(bob)
                }
                underWay.append((target, time + (isHome ? 3_000 : duration)))
            }
        }
        return .seconds(600)
    }

    @Test(arguments: [true, false])
    func `ports that accept and say nothing keep nobody from a place that was learned after them`(isOtherHost: Bool) {
        let ports = (1...64).map { "10.0.0.66:\($0)" }
        let time = timeToMeet(
            at: isOtherHost ? "10.0.0.7:47470" : "10.0.0.66:47470", isFirst: false,
            madeUp: isOtherHost ? ports : Array(ports.prefix(24)), fate: .failed("silent"), after: 3_000)
        // Those of one host take its dials, and the others of that host their turns.
        #expect(time <= (isOtherHost ? .seconds(3) : .seconds(60)), "\(time)")
    }

    @Test func `relays that come after a place keep nobody from it for longer than one of them is believed`() {
        let time = timeToMeet(
            at: "10.0.0.7:47470", isFirst: true, awake: .seconds(20), madeUp: (1...64).map { "10.0.0.66:\($0)" },
            fate: .givenUp, after: 16_000)
        #expect(time <= .seconds(20 + 2 * 18), "\(time)")
    }

    @Test(arguments: ["a stranger", "connected", "resting", "banned"])
    func `what was said of a place first keeps nobody from it whom a familiar peer expects there`(first: String) {
        let (place, alice) = ("10.0.0.2:1", device(1))
        var directory = directory()
        directory.learn(
            place, of: mallory, standing: first == "a stranger" ? .unknown : .familiar, from: mallory,
            isOnThisHost: false, at: start)
        if first == "a stranger" || first == "connected" { directory.note(mallory, isConnected: true) }
        if first == "resting" { directory.rest(mallory, until: nil) }
        if first == "banned" { directory.ban(mallory, at: start) }
        #expect(directory.dials(at: start).isEmpty)
        directory.learn(place, of: bob, standing: .familiar, from: alice, isOnThisHost: false, at: start)
        #expect(directory.dials(at: start).map(\.address) == [place])
    }

    @Test func `a place stays with whom it is dialed for, whatever is said of others after that`() {
        let (place, alice) = ("10.0.0.2:1", device(1))
        var directory = directory()
        directory.learn(place, of: bob, standing: .familiar, from: alice, isOnThisHost: false, at: start)
        directory.note(alice, isConnected: true)
        directory.learn(place, of: mallory, from: mallory, isOnThisHost: false, at: start)
        directory.learn(place, of: mallory, standing: .familiar, from: mallory, isOnThisHost: false, at: start)
        directory.learn(place, of: alice, standing: .met, at: start)
        directory.note(mallory, isConnected: true)
        #expect(directory.dials(at: start).map(\.address) == [place])
        directory.note(bob, isConnected: true)
        directory.learn(place, of: device(2), from: mallory, isOnThisHost: false, at: start)
        directory.note(bob, isConnected: false)
        directory.note(device(2), isConnected: true)
        #expect(directory.unreached(at: start).map(\.device) == [bob])
    }

    @Test func `a place goes to whoever is said to be there once its device is connected elsewhere`() {
        var directory = directory()
        directory.hint(bob, at: "10.0.0.2:1", standing: .met, now: start)
        directory.note(bob, isConnected: true)
        #expect(directory.dials(at: start).isEmpty)
        directory.hint(mallory, at: "10.0.0.2:1", now: start)
        #expect(directory.dials(at: start).map(\.address) == ["10.0.0.2:1"])
    }
}
