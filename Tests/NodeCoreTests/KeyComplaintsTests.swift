import Conversations
import Cryptography
import OperationLog
import Testing
import Time

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// Carol's device could not open Alice's key and says so; Alice and Bob, who hold it, help in turn.
@Suite("The machine for complaints about keys")
struct KeyComplaintsTests {
    private static let (alice, bob, carol) = (0, 1, 2)
    private var complaints = KeyComplaints()
    private var trio: Trio
    private let group: ConversationID
    private let epoch: OperationID

    init() throws {
        var trio = try Trio()
        group = try trio.found()
        let held = trio.disks[Self.alice].image.operations(of: group, lane: .content)
        epoch = try #require(held.first { $0.header.type == .epoch }?.id)
        let (conversation, about) = (group, epoch)
        try trio.cores[Self.carol].write(in: group) { log, author, time throws(MalformedBytes) in
            try log.write(
                content: [ConversationLog.Draft(type: .complaint, epoch: about, body: [])], by: author, at: time)
        }
        let said = trio.disks[Self.carol].image.operations(of: group, lane: .content)
            .filter { $0.header.type == .complaint }
        for index in [Self.alice, Self.bob] {
            // Nobody is connected, so nobody answers before they are asked here.
            for operation in said {
                trio.cores[index].replicas[conversation]?.epochs.insert(complaintOf: operation.author.id, about: about)
            }
        }
        self.trio = trio
    }

    private mutating func due(at index: Int, after duration: Duration) -> [KeyComplaints.Complaint] {
        trio.cores[index].moment = Trio.after(duration)
        return complaints.dueAnswers(in: group, &trio.cores[index].context)
    }

    @Test mutating func `the author of a key helps at once`() {
        let answers = due(at: Self.alice, after: .zero)
        #expect(answers.map(\.complainer.device) == [trio.carol.device.id])
        #expect(answers.map(\.epoch.id) == [epoch])
        #expect(complaints.conversationsToAnswerIn == [group])
    }

    @Test mutating func `another holder waits for an answer while somebody is connected who wrote under the key`() {
        _ = trio.connect(Self.bob, to: Self.alice)
        #expect(due(at: Self.bob, after: .zero).isEmpty)
        #expect(due(at: Self.bob, after: PersonTurns.answerTimeout - .milliseconds(1)).isEmpty)
        #expect(due(at: Self.bob, after: PersonTurns.answerTimeout).map(\.complainer.device) == [trio.carol.device.id])
    }

    @Test mutating func `another holder helps at once where the author is away`() {
        #expect(due(at: Self.bob, after: .zero).count == 1)
    }

    @Test mutating func `whoever wrote under a key helps at once, and its maker waits for them`() throws {
        _ = trio.connect(Self.bob, to: Self.alice)
        _ = trio.connect(Self.alice, to: Self.bob)
        let view = try #require(trio.alice.replicas[group]?.epochs.all[epoch]).view.id
        let writer = trio.bob.device.id
        for index in [Self.alice, Self.bob] {
            trio.cores[index].replicas[group]?.epochs.note(writer: writer, under: epoch, to: view)
        }
        #expect(due(at: Self.bob, after: .zero).map(\.complainer.device) == [trio.carol.device.id])
        complaints = KeyComplaints()
        #expect(due(at: Self.alice, after: .zero).isEmpty)
        #expect(complaints.nextTurn(after: Trio.moment.monotonic) == Trio.after(PersonTurns.answerTimeout).monotonic)
        #expect(due(at: Self.alice, after: PersonTurns.answerTimeout).count == 1)
    }

    @Test func `seven silent people with eight devices each cost no more than three waits`() {
        let (author, own) = (DeviceID(digest: .hash("author")), DeviceID(digest: .hash("own")))
        let user = { (number: UInt8) in UserID(digest: .hash("user", [number])) }
        for claim in [KeyComplaints.Claim.wrote, .made, .holds] {
            var holders = [
                KeyComplaints.Holder(device: own, user: user(0), claim: .holds),
                KeyComplaints.Holder(device: author, user: user(1), claim: .made),
            ]
            for number in 0..<55 as Range<UInt8> {
                let device = DeviceID(digest: .hash("device", [number]))
                holders.append(KeyComplaints.Holder(device: device, user: user(1 + number % 7), claim: claim))
            }
            for number in 0..<20 as Range<UInt8> {
                let epoch = OperationID(digest: .hash("epoch", [number]))
                #expect((0...3).contains(KeyComplaints.waits(of: own, among: holders, of: epoch)))
            }
        }
    }

    @Test func `who answered in vain comes last, with all their devices`() {
        let own = DeviceID(digest: .hash("own"))
        let user = { (number: UInt8) in UserID(digest: .hash("user", [number])) }
        var holders = [KeyComplaints.Holder(device: own, user: user(0), claim: .holds)]
        for number in 0..<7 as Range<UInt8> {
            let device = DeviceID(digest: .hash("device", [number]))
            holders.append(KeyComplaints.Holder(device: device, user: user(1), claim: .inVain))
        }
        #expect(KeyComplaints.waits(of: own, among: holders, of: epoch) == 0)
    }

    @Test mutating func `nobody who is out is helped`() throws {
        try trio.cores[Self.alice].remove(trio.carol.me, from: group, archive: true, at: Trio.moment)
        #expect(due(at: Self.alice, after: .seconds(60)).isEmpty)
    }

    @Test mutating func `a device does not complain of keys that opened`() {
        #expect(complaints.due(in: group, trio.bob.context).isEmpty)
        #expect(complaints.conversationsToComplainIn.isEmpty)
    }
}
