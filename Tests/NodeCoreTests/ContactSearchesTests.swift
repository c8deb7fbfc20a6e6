import OperationLog
import Testing
import Time

@testable import NodeCore
@testable import Replication

/// Bob's node looks for Alice at the addresses of their contact code.
@Suite("The machine for contact codes")
struct ContactSearchesTests {
    private static let (alice, bob, carol) = (0, 1, 2)
    private var searches = ContactSearches()
    private var trio: Trio
    private let addresses = ["192.0.2.1:1", "192.0.2.9:9"]

    init() throws { trio = try Trio() }

    private mutating func handle(
        _ event: ContactSearches.Event, after duration: Duration = .zero
    ) -> [MachineRequest] {
        trio.cores[Self.bob].moment = Trio.after(duration)
        return searches.handle(event, in: trio.bob.context)
    }

    private mutating func look() -> [MachineRequest] {
        handle(.wanted(trio.alice.me, trio.alice.device.id, at: addresses))
    }

    private func outcomes(_ requests: [MachineRequest]) -> [SearchOutcome] {
        requests.news.compactMap { news in
            guard case .searched(trio.alice.me, let outcome) = news else { return nil }
            return outcome
        }
    }

    private func kept(_ requests: [MachineRequest]) -> [String] {
        requests.compactMap { request in
            guard case .keep(let address, _, _) = request else { return nil }
            return address
        }
    }

    @Test mutating func `every address is dialed at once, without saying who should be there`() {
        let targets = look().compactMap { request -> DialTarget? in
            guard case .effect(.dial(let target)) = request else { return nil }
            return target
        }
        #expect(targets.map(\.address) == addresses)
        #expect(targets.allSatisfy { $0.device == nil })
        #expect(searches.people == [trio.alice.me])
    }

    @Test mutating func `whoever introduces themselves as the person is found, and every address is kept`() {
        _ = look()
        _ = trio.connect(Self.bob, to: Self.alice)
        let requests = handle(.introduced(trio.alice.me, at: nil))
        #expect(outcomes(requests) == [.found])
        #expect(kept(requests) == addresses)
        #expect(searches.people.isEmpty && searches.nextDeadline == nil)
    }

    @Test mutating func `nobody is found once every address was missed`() {
        _ = look()
        #expect(handle(.missed(addresses[0])).isEmpty)
        let requests = handle(.missed(addresses[1]))
        #expect(outcomes(requests) == [.nobody])
        // They may be asleep.
        #expect(kept(requests) == addresses)
    }

    @Test mutating func `somebody else at an address is named, and the address is not kept`() {
        _ = look()
        #expect(handle(.answered(trio.carol.me, at: addresses[0])).isEmpty)
        _ = handle(.missed(addresses[1]))
        let requests = handle(.introduced(trio.carol.me, at: addresses[0]))
        #expect(outcomes(requests) == [.stranger(trio.carol.me, at: addresses[0])])
        #expect(kept(requests) == [addresses[1]])
    }

    @Test mutating func `a search ends after eight seconds`() {
        _ = look()
        #expect(searches.nextDeadline == Trio.after(.seconds(8)).monotonic)
        #expect(handle(.tick, after: .milliseconds(7_999)).isEmpty)
        #expect(outcomes(handle(.tick, after: .seconds(8))) == [.nobody])
    }

    @Test mutating func `who is connected already is found at once`() {
        _ = trio.connect(Self.bob, to: Self.alice)
        #expect(outcomes(look()) == [.found])
    }
}
