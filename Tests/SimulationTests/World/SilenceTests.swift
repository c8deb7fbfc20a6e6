import Conversations
import NodeCore
import OperationLog
import Testing

@testable import Simulation

/// Each of some members has eight devices, and all of these give what they write to Bob alone. They tell the others
/// noise and answer nothing. Bob writes, is connected to everybody, and serves all operations before his messages.
@Suite("An honest member's messages arrive although others are silent")
struct SilenceTests {
    private static let bob = 1

    /// Bob's messages, one a second.
    ///
    /// - Parameters:
    ///   - honest: how many members are honest. Bob is one of them.
    ///   - silent: how many others have eight silent devices each.
    ///   - value: what these do besides, as in ``Silencing/Course``.
    /// - Returns: for each message and each other honest member the virtual time until they had it, ascending.
    private func delays(honest: Int, silent: Int, value: Int, messages: Int) throws -> [Duration] {
        var plan = Plan(seed: 5, nodes: honest + silent, profile: .byzantine)
        plan.liars = Array(honest..<honest + silent)
        let began = 7_000
        plan.end = began + 1_000 * messages + 3_000
        plan.steps = [
            Step(at: 4_000, host: 0, kind: .create, conversation: 0, other: 1, value: plan.nodes),
            Step(at: 4_500, host: Self.bob, kind: .send, conversation: 1, other: 1, value: 1),
        ]
        for at in stride(from: 5_000, to: plan.end, by: 5_000) {
            plan.steps += plan.liars.map {
                Step(at: at, host: $0, kind: .silence, conversation: 0, other: Self.bob, value: value)
            }
        }
        plan.steps += (0..<messages).map {
            Step(at: began + 1_000 * $0, host: Self.bob, kind: .send, conversation: 1, other: 1, value: 1)
        }
        let world = World(plan)
        var writtenAt: [OperationID: Int] = [:]
        var delays: [Duration] = []
        var missing: [Int: Set<OperationID>] = [:]
        for now in stride(from: began * 1_000 - 1, to: plan.end * 1_000, by: 5_000) {
            let known = world.hosts[Self.bob].acknowledged
            world.run(until: now)
            let bob = world.hosts[Self.bob]
            guard now >= began * 1_000, let conversation = world.conversations.first else { continue }
            for id in bob.acknowledged.subtracting(known) {
                guard let operation = try bob.disk.operation(id, of: conversation),
                    operation.header.type == .message, operation.author.id == bob.device
                else { continue }
                writtenAt[id] = now
                for host in 0..<honest where host != Self.bob { missing[host, default: []].insert(id) }
            }
            for host in missing.keys.sorted() {
                for id in missing[host, default: []].intersection(world.hosts[host].acknowledged) {
                    missing[host]?.remove(id)
                    delays.append(.microseconds(now - (writtenAt[id] ?? now)))
                }
            }
        }
        #expect(writtenAt.count == messages)
        // Bob has been given a lot that nobody else has.
        #expect(bobsShare(of: world) > 8)
        // What never came took until the end.
        let late = missing.values.flatMap { $0 }.map {
            Duration.milliseconds(plan.end) - .microseconds(writtenAt[$0] ?? 0)
        }
        return (delays + late).sorted()
    }

    /// How many operations of devices that are no hosts Bob holds.
    private func bobsShare(of world: World) -> Int {
        guard let conversation = world.conversations.first else { return 0 }
        let devices = Set(world.hosts.map(\.device))
        return world.hosts[Self.bob].disk.image.operations(of: conversation, lane: .content)
            .count { !devices.contains($0.author.id) }
    }

    private func slowestHundredth(of delays: [Duration]) throws -> Duration {
        try #require(delays.dropLast(delays.count / 100).last)
    }

    @Test(arguments: [0, 1, 4])
    func `Alice hears Bob within half a second, whatever eight devices of Mallory keep from her`(value: Int) throws {
        let delays = try delays(honest: 2, silent: 1, value: value, messages: 20)
        #expect(try slowestHundredth(of: delays) <= .milliseconds(500), "\(delays)")
    }

    @Test(arguments: [2, 3, 7])
    func `so she does where they answer with one operation now and then, and with 32 a second`(value: Int) throws {
        let delays = try delays(honest: 2, silent: 1, value: value, messages: 20)
        #expect(try slowestHundredth(of: delays) <= .milliseconds(500), "\(delays)")
    }

    @Test
    func `in a group of 24 everybody hears Bob within two seconds, although eight are silent on eight devices each`()
        throws
    {
        let delays = try delays(honest: 16, silent: 8, value: 0, messages: 8)
        #expect(try #require(delays.last) <= .seconds(2), "\(delays.suffix(20))")
    }
}
