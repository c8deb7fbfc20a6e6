import Conversations
import Cryptography
import OperationLog
import Testing
import Time

@testable import NodeCore
@testable import Replication
@testable import Simulation

@Suite("Asking peers how they reach a node")
struct ReachabilityExchangeTests {
    /// Alice's desk asks, and Bob answers.
    private static let alice = Household.desk
    private static let bob = Household.bob
    private static let carol = Household.carol

    /// Alice and Bob, who have met, with a group or without.
    private static func house(sharing isShared: Bool = true) throws -> Household {
        var house = try Household()
        house.connect(alice, bob)
        for core in [alice, bob] {
            try house.cores[core].start(
                onPort: 4_000 + UInt16(core), discovers: false, program: "1.2.3", at: house.moment)
        }
        house.run(for: .seconds(1))
        guard isShared else { return house }
        _ = house.cores[alice].contacts.learn(house.cores[carol].ownCredentials)
        let others = [house.cores[bob].me, house.cores[carol].me]
        let group = try house.cores[alice].createGroup(name: "Ship", members: others, at: house.moment)
        house.run(for: .seconds(1))
        _ = try house.cores[bob].send(["three"], to: group, at: house.moment)
        house.run(for: .seconds(1))
        return house
    }

    private static func link(of core: Int, to other: Int, in house: Household) throws -> PeerHandle {
        try #require(house.cores[core].links.handle(of: house.cores[other].device.id))
    }

    /// A question comes to Bob, and what they do about it.
    private static func ask(
        _ number: UInt64, in house: inout Household, of core: Int = bob, by other: Int = alice
    ) throws -> (dials: [Endpoint], reports: [ReachabilityReport]) {
        let handle = try link(of: core, to: other, in: house)
        let question = ReceivedMessage(decoding: PeerMessage.presence(.reachabilityWanted(number)).encoded)
        house.cores[core].handle(.received(question, on: handle), at: house.moment)
        return try done(by: core, in: &house)
    }

    private static func done(
        by core: Int, in house: inout Household
    ) throws -> (dials: [Endpoint], reports: [ReachabilityReport]) {
        var (dials, reports): ([Endpoint], [ReachabilityReport]) = ([], [])
        for effect in house.cores[core].takeEffects() {
            switch effect {
            case .dialBack(_, let place): dials.append(place)
            case .send(_, let bytes, _):
                if case .presence(.reachability(_, let report)) = try PeerMessage(decoding: bytes) {
                    reports.append(report)
                }
            default: break
            }
        }
        return (dials, reports)
    }

    private static func end(
        _ failure: String?, in house: inout Household, of core: Int = bob, by other: Int = alice
    ) throws -> [ReachabilityReport] {
        house.cores[core].handle(
            .dialedBack(house.cores[other].device.id, failure: failure), at: house.moment)
        return try done(by: core, in: &house).reports
    }

    @Test func `who shares a conversation is dialed back at their own address, and told what came of it`() throws {
        var house = try Self.house()
        let asked = try Self.ask(7, in: &house)
        #expect(asked.dials == [Endpoint(host: "192.0.2.1", port: 4_000)] && asked.reports.isEmpty)
        let reports = try Self.end("timed_out", in: &house)
        #expect(reports.map(\.dialBack) == [.failed("timed_out")])
        #expect(reports.first?.program == "1.2.3" && reports.first?.address == "192.0.2.1:4000")
        #expect(reports.first?.clock == house.moment.wall && reports.first?.sendsBeacons == false)
        #expect(reports.first?.beacon == nil)
    }

    @Test func `who shares nothing is told nothing, and nobody is dialed for them`() throws {
        var house = try Self.house(sharing: false)
        let asked = try Self.ask(7, in: &house)
        #expect(asked.dials.isEmpty && asked.reports.isEmpty)
    }

    @Test func `a stranger who brings somebody into a group learns nothing by it`() throws {
        var house = try Self.house(sharing: false)
        _ = house.cores[Self.alice].contacts.learn(house.cores[Self.carol].ownCredentials)
        _ = try house.cores[Self.alice].createGroup(
            name: "Trap", members: [house.cores[Self.bob].me, house.cores[Self.carol].me], at: house.moment)
        house.run(for: .seconds(1))
        let asked = try Self.ask(7, in: &house)
        #expect(asked.dials.isEmpty && asked.reports.isEmpty)
    }

    @Test func `who read what they were written shares a conversation with who wrote it`() throws {
        var house = try Self.house(sharing: false)
        house.connect(Self.carol, Self.bob)
        house.run(for: .seconds(1))
        let bob = house.cores[Self.bob].me
        _ = house.cores[Self.carol].contacts.learn(house.cores[Self.alice].ownCredentials)
        _ = try house.cores[Self.carol].createGroup(
            name: "Trap", members: [bob, house.cores[Self.alice].me], at: house.moment)
        let ship = try house.cores[Self.alice].openDirect(with: bob, at: house.moment)
        _ = try house.cores[Self.alice].send(["one"], to: ship, at: house.moment)
        house.run(for: .seconds(1))
        #expect(!house.cores[Self.bob].context.familiarity.joined.contains(ship))
        try house.cores[Self.bob].markRead(ship, at: house.moment)
        #expect(house.cores[Self.bob].context.familiarity.joined == [ship])
        let stranger = try Self.ask(1, in: &house, by: Self.carol)
        #expect(stranger.dials.isEmpty && stranger.reports.isEmpty)
        #expect(try Self.ask(2, in: &house).dials.count == 1)
    }

    @Test func `of one device one dial begins in five seconds, and what it told is told again`() throws {
        var house = try Self.house()
        #expect(try Self.ask(1, in: &house).dials.count == 1)
        // While it is under way, others wait for it.
        let second = try Self.ask(2, in: &house)
        #expect(second.dials.isEmpty && second.reports.isEmpty)
        #expect(try Self.end(nil, in: &house).map(\.dialBack) == [.accepted, .accepted])
        let third = try Self.ask(3, in: &house)
        #expect(third.dials.isEmpty && third.reports.map(\.dialBack) == [.accepted])
        house.run(for: .seconds(6))
        #expect(try Self.ask(4, in: &house).dials.count == 1)
    }

    @Test func `who names another port at once has nobody dialed there`() throws {
        var exchange = ReachabilityExchange()
        let device = try Self.house().cores[Self.alice].device.id
        let question = ReachabilityExchange.Question(peer: PeerHandle(rawValue: 1), number: 1)
        let start = Instant(sinceStart: .zero)
        for port in 1...UInt16(100) {
            let decision = exchange.decide(
                question, by: device, at: Endpoint(host: "192.0.2.1", port: port),
                now: start + .milliseconds(Int(port)))
            #expect(decision == (port == 1 ? .dial : .answer(.notTried)))
        }
    }

    @Test func `many devices together are dialed at the pace of a few`() throws {
        var exchange = ReachabilityExchange()
        let start = Instant(sinceStart: .zero)
        var dials = 0
        for number in 0..<1_000 {
            let device = DeviceID(digest: .hash("moot/1/test", [UInt8(number & 255), UInt8(number >> 8)]))
            let question = ReachabilityExchange.Question(peer: PeerHandle(rawValue: 1), number: UInt64(number))
            let decision = exchange.decide(
                question, by: device, at: Endpoint(host: "192.0.2.1", port: 1), now: start + .milliseconds(number))
            if decision == .dial {
                dials += 1
                _ = exchange.end(device, failure: nil)
            }
        }
        #expect((16...17).contains(dials))
    }

    @Test func `a peer that listens nowhere is dialed nowhere`() throws {
        var house = try Self.house()
        let handle = try Self.link(of: Self.bob, to: Self.alice, in: house)
        house.cores[Self.bob].links[handle]?.listeningPort = 0
        let asked = try Self.ask(1, in: &house)
        #expect(asked.dials.isEmpty && asked.reports.map(\.dialBack) == [.notTried])
    }

    @Test func `beyond its budget a peer is passed over`() throws {
        var house = try Self.house()
        _ = try Self.ask(0, in: &house)
        _ = try Self.end(nil, in: &house)
        let answers = try (1...100).map { try Self.ask($0, in: &house).reports.count }
        #expect(answers.reduce(0, +) == 15)
    }

    @Test func `an answer is shown to whoever asked, once, and one that nobody asked for is not`() throws {
        var house = try Self.house()
        let handle = try Self.link(of: Self.alice, to: Self.bob, in: house)
        let moment = house.moment
        let asked = house.cores[Self.alice].askReachability(of: handle, at: moment)
        let question = try #require(asked)
        _ = house.cores[Self.alice].takeEffects()
        let report = ReachabilityReport(
            program: "1", clock: moment.wall, address: "192.0.2.1:4000", dialBack: .accepted,
            sendsBeacons: true, ownBeaconAge: nil, beacon: nil, failedDials: [])
        for (number, count) in [(question + 1, 0), (question, 1), (question, 0)] {
            let bytes = PeerMessage.presence(.reachability(number, report)).encoded
            house.cores[Self.alice].handle(
                .received(ReceivedMessage(decoding: bytes), on: handle), at: house.moment)
            let shown = house.cores[Self.alice].takeEffects().count { effect in
                if case .show(.reachability(question, report)) = effect { true } else { false }
            }
            #expect(shown == count)
        }
    }

    @Test func `what a device may be told of itself is what was heard of it, and no more`() throws {
        var house = try Self.house()
        let alice = house.cores[Self.alice].device.id
        let beacon = Beacon(device: alice, instance: 1, port: 4_000).encoded
        house.cores[Self.bob].handle(
            .heard(beacon, from: Endpoint(host: "192.0.2.1", port: 47_474)), at: house.moment)
        let other = Beacon(device: house.cores[Self.carol].device.id, instance: 1, port: 4_002).encoded
        house.cores[Self.bob].handle(
            .heard(other, from: Endpoint(host: "10.0.0.3", port: 47_474)), at: house.moment)
        house.run(for: .seconds(3))
        let places = [
            DialTarget(address: "192.0.2.1:4000", device: alice),
            DialTarget(address: "10.0.0.3:4002", device: house.cores[Self.carol].device.id),
        ]
        for place in places {
            house.cores[Self.bob].handle(.dialFailed(place, reason: "no way: there"), at: house.moment)
        }
        let known = house.cores[Self.bob].reachability(at: house.now).places
        #expect(known.contains { $0.address == places[1].address && $0.lastError != nil }, "\(known)")
        _ = try Self.ask(1, in: &house)
        let report = try #require(try Self.end(nil, in: &house).first)
        #expect(report.beacon?.address == "192.0.2.1:4000")
        #expect(report.beacon.map { $0.age >= .seconds(3) } == true)
        // A code has the characters of one.
        #expect(report.failedDials == [.init(address: places[0].address, code: "no_way__there")])
    }

    @Test func `whom this node dialed itself is dialed back there, whatever port they name`() throws {
        var house = try Self.house()
        // Alice's node dialed Bob's, at a router perhaps: Bob's own port is none of its.
        let asked = try Self.ask(1, in: &house, of: Self.alice, by: Self.bob)
        #expect(asked.dials == [Endpoint(host: "192.0.2.2", port: 1)])
        let reports = try Self.end(nil, in: &house, of: Self.alice, by: Self.bob)
        #expect(reports.map(\.address) == ["192.0.2.2:1"] && reports.map(\.dialBack) == [.accepted])
    }

    @Test func `a blocked member is told nothing`() throws {
        var house = try Self.house()
        try house.cores[Self.bob].setBlocked(true, of: house.cores[Self.alice].me, at: house.moment)
        let asked = try Self.ask(1, in: &house)
        #expect(asked.dials.isEmpty && asked.reports.isEmpty)
    }

    @Test func `another device of the user is dialed back without any conversation`() throws {
        var house = try Household()
        let laptop = try house.link(to: Self.alice)
        house.connect(laptop, Self.alice)
        for core in [laptop, Self.alice] {
            try house.cores[core].start(
                onPort: 4_000 + UInt16(core), discovers: false, program: "1.2.3", at: house.moment)
        }
        house.run(for: .seconds(1))
        let asked = try Self.ask(1, in: &house, of: Self.alice, by: laptop)
        #expect(asked.dials == [Endpoint(host: "192.0.2.\(laptop + 1)", port: 4_000 + UInt16(laptop))])
        #expect(try Self.end(nil, in: &house, of: Self.alice, by: laptop).map(\.dialBack) == [.accepted])
    }

    @Test func `no more questions wait for a dial than there is room for`() throws {
        var exchange = ReachabilityExchange()
        let device = try Self.house().cores[Self.alice].device.id
        let place = Endpoint(host: "192.0.2.1", port: 1)
        let most = UInt64(ReachabilityExchange.maximumWaiting)
        for number in 1...most + 1 {
            let question = ReachabilityExchange.Question(peer: PeerHandle(rawValue: 1), number: number)
            let decision = exchange.decide(question, by: device, at: place, now: Instant(sinceStart: .zero))
            #expect(decision == (number == 1 ? .dial : number <= most ? .wait : .answer(.notTried)))
        }
        let end = exchange.end(device, failure: nil)
        #expect(end.questions.map(\.number) == Array(1...most) && end.outcome == .accepted)
    }

    @Test func `no more answers are waited for than there is room for, and whoever goes leaves room`() {
        var exchange = ReachabilityExchange()
        let (bob, carol) = (PeerHandle(rawValue: 1), PeerHandle(rawValue: 2))
        let first = exchange.ask(bob)
        for _ in 1..<ReachabilityExchange.maximumAsked { #expect(exchange.ask(carol) != nil) }
        #expect(exchange.ask(bob) == nil)
        #expect(exchange.lose(bob) == [first].compactMap { $0 } && exchange.lose(bob).isEmpty)
        #expect(exchange.ask(bob) != nil && exchange.ask(bob) == nil)
    }

    @Test func `whoever waits for a peer hears at once that it went`() throws {
        var house = try Self.house()
        let handle = try Self.link(of: Self.alice, to: Self.bob, in: house)
        let moment = house.moment
        let question = house.cores[Self.alice].askReachability(of: handle, at: moment)
        _ = house.cores[Self.alice].takeEffects()
        house.disconnect(Self.alice)
        let told = house.cores[Self.alice].takeEffects().contains { effect in
            if case .show(.reachability(question, nil)) = effect { true } else { false }
        }
        #expect(told)
    }
}
