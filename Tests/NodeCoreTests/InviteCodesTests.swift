import Conversations
import Cryptography
import OperationLog
import Testing
import Time

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// Alice makes codes for their group, and Bob's node waits to join by them.
@Suite("The machine for invites by code")
struct InviteCodesTests {
    private static let (alice, bob, carol) = (0, 1, 2)
    private var codes = InviteCodes()
    private var trio: Trio

    init() throws { trio = try Trio() }

    private mutating func handle(_ event: InviteCodes.Event, after duration: Duration = .zero) -> [MachineRequest] {
        trio.cores[Self.bob].moment = Trio.after(duration)
        return codes.handle(event, in: trio.bob.context)
    }

    /// A code by Alice for a group that is not here, good for a minute.
    private func offer(_ number: UInt8) throws -> InviteOffer {
        let id = OperationID(digest: Digest.hash("test", [number]))
        let key = try #require(SigningKey(seed: Array(repeating: number, count: SigningKey.seedByteCount)))
        return InviteOffer(
            conversation: ConversationID(createdBy: id), invite: id, key: key, end: Trio.after(.seconds(60)).wall,
            device: trio.alice.device.id, places: ["192.0.2.1:1"])
    }

    private func shown(_ requests: [MachineRequest]) -> [ConversationID] {
        requests.events.compactMap { event in
            guard case .presenting(let conversation, _, _) = event else { return nil }
            return conversation
        }
    }

    private func withdrawn(_ requests: [MachineRequest]) -> [ConversationID] {
        requests.events.compactMap { event in
            guard case .withdrawn(let conversation) = event else { return nil }
            return conversation
        }
    }

    @Test mutating func `the proof is shown, and the addresses of the code are kept`() throws {
        let offer = try offer(1)
        let requests = handle(.wanted(offer))
        #expect(shown(requests) == [offer.conversation])
        #expect(requests.count { if case .keep("192.0.2.1:1", offer.device, nil) = $0 { true } else { false } } == 1)
        #expect(codes.awaited == [offer.conversation])
        #expect(codes.nextDeadline(in: trio.bob.context) == Trio.after(.seconds(60)).monotonic)
    }

    @Test mutating func `a code that has ended is waited for no more`() throws {
        let offer = try offer(1)
        _ = handle(.wanted(offer))
        #expect(handle(.tick, after: .seconds(59)).isEmpty)
        #expect(withdrawn(handle(.tick, after: .seconds(60))) == [offer.conversation])
        #expect(codes.awaited.isEmpty)
    }

    @Test mutating func `only the inviter is believed about a code`() throws {
        let offer = try offer(1)
        _ = handle(.wanted(offer))
        let fromCarol = trio.connect(Self.bob, to: Self.carol)
        #expect(handle(.refused(.used, offer.invite, by: fromCarol)).isEmpty)
        #expect(codes.unconfirmedRefusal(of: offer) == .used)
        #expect(codes.takeFailure(of: offer.invite) == nil)
        let fromAlice = trio.connect(Self.bob, to: Self.alice)
        #expect(withdrawn(handle(.refused(.canceled, offer.invite, by: fromAlice))) == [offer.conversation])
        #expect(codes.takeFailure(of: offer.invite)?.code == .codeCanceled)
        #expect(codes.takeFailure(of: offer.invite) == nil)
    }

    @Test mutating func `so many codes are waited for as peers remember, and no more`() throws {
        for number in 0..<InviteCodes.maximumJoins { _ = handle(.wanted(try offer(UInt8(number)))) }
        #expect(!codes.hasRoom(for: try offer(200).conversation))
        #expect(codes.hasRoom(for: try offer(0).conversation))
    }

    @Test mutating func `who made a code takes it back when it ends, and not before`() throws {
        let group = try trio.found()
        let (code, _) = try trio.cores[Self.alice].makeCode(for: group, lasting: 60, at: Trio.moment)
        var context = trio.alice.context
        _ = codes.handle(.membersChanged(group), in: context)
        #expect(codes.nextDeadline(in: context) == Trio.after(.seconds(60)).monotonic)
        #expect(codes.spentCodes(in: group, context).isEmpty)
        context.moment = Trio.after(.seconds(60))
        #expect(codes.ended(at: context.moment.wall) == [group])
        #expect(codes.spentCodes(in: group, context).map(\.id) == [code.id])
        // A full disk is not asked again at once.
        codes.postpone(group, at: context.moment.wall)
        #expect(codes.ended(at: context.moment.wall).isEmpty)
        #expect(codes.ended(at: Trio.after(.seconds(65)).wall) == [group])
    }
}
