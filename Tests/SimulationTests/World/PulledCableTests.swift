import Testing

@testable import Simulation

/// Nobody tells that a machine is gone whose cable was pulled: its connections stand, and nothing comes on them.
@Suite("A pulled cable")
struct PulledCableTests {
    /// When the cable is pulled, in microseconds: all are connected, know each other and are in one group.
    private static let start = 40_000_000

    private func crowd(_ count: Int, seed: UInt64) -> World {
        var plan = Plan(seed: seed, profile: .calm, nodes: count, operations: 1)
        plan.end = 60_000
        plan.steps = [Step(at: 4_000, host: 0, kind: .create, conversation: 0, other: 1, value: count)]
        let world = World(plan)
        world.run(until: Self.start)
        return world
    }

    /// The hosts that a host takes for connected.
    private func peers(of host: Int, in world: World) -> Set<Int> {
        Set(
            world.hosts[host].ends.values.compactMap { side in
                guard let wire = world.wires[side.wire], wire.ends[side.end]?.isEstablished == true else { return nil }
                return wire.hosts[side.other.end]
            })
    }

    private func cut(_ lost: Set<Int>, in world: World) {
        for one in lost {
            for other in world.hosts.indices where !lost.contains(other) {
                world.network.block(from: one, to: other, until: 1 << 50)
                world.network.block(from: other, to: one, until: 1 << 50)
            }
        }
    }

    @Test(arguments: [3, 10, 30])
    func `is noticed by all within five seconds`(count: Int) throws {
        let world = crowd(count, seed: UInt64(count))
        let everybody = Set(world.hosts.indices)
        for host in everybody { #expect(peers(of: host, in: world) == everybody.subtracting([host])) }
        cut([1], in: world)
        world.run(until: Self.start + 5_000_000)
        for host in everybody.subtracting([1]) {
            #expect(peers(of: host, in: world) == everybody.subtracting([host, 1]), "\(world.hosts[host].name)")
        }
        #expect(peers(of: 1, in: world).isEmpty)
    }

    @Test
    func `of a switch splits a crowd, and both halves notice within five seconds`() throws {
        let world = crowd(12, seed: 5)
        let half = Set(0..<6)
        cut(half, in: world)
        world.run(until: Self.start + 5_000_000)
        for host in world.hosts.indices {
            let own = half.contains(host) ? half : Set(6..<12)
            #expect(peers(of: host, in: world) == own.subtracting([host]))
        }
    }

    @Test
    func `leaves a crowd that is idle as quiet as a few`() {
        for count in [4, 16] {
            let world = crowd(count, seed: 9)
            let before = world.tally.messages
            world.run(until: Self.start + 10_000_000)
            let each = Double(world.tally.messages - before) / Double(10 * count)
            #expect(each < 9, "\(each) messages a second of one of \(count)")
        }
    }
}
