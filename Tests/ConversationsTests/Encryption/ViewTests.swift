import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

@Suite("The view at some heads")
struct ViewTests {
    private func devices(_ view: View?) -> [DeviceID] { view?.readers.map(\.device) ?? [] }

    @Test func `is the same whichever heads were asked about before`() throws {
        var circle = try Circle("Alice", "Bob", "Carol", "Dave")
        var moments = [circle.log.membership.heads]
        for name in ["Dave", "Carol"] {
            let user = circle.user(name)
            try circle.decide("Alice") { .remove(under: $0, target: user, pins: []) }
            moments.append(circle.log.membership.heads)
        }
        var forwards: [View?] = []
        var backwards: [View?] = []
        var one = circle.group
        for heads in moments { forwards.append(one.view(at: heads, in: circle.log.membership)) }
        var other = Group(conversation: circle.log.conversation, root: .group)
        other.insert(circle.lane)
        for heads in moments.reversed() { backwards.append(other.view(at: heads, in: circle.log.membership)) }
        #expect(forwards == backwards.reversed())
        #expect(forwards.map { $0?.readers.count } == [4, 3, 2])
    }

    @Test func `has the newest key of each device, in whatever order they became known`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        var random = SplitMix64(seed: 3)
        let bob = circle.person("Bob")
        for counter in [3, 2] as [UInt64] {
            let record = WrapRecord(
                by: bob.author, counter: counter, key: AgreementKey.generate(using: &random).publicKey)
            try circle.write(
                by: "Bob",
                .device(own: Credentials(identity: bob.credentials.identity, wraps: [record])))
        }
        let reader = try circle.view().readers.first { $0.device == bob.device }
        #expect(circle.group.wrapRecord(of: bob.device, of: bob.user)?.counter == 3)
        #expect(reader?.wrapKey == circle.group.wrapRecord(of: bob.device, of: bob.user)?.key)
    }

    @Test func `leaves out who published no key`() throws {
        var circle = try Circle("Alice", "Bob")
        var random = SplitMix64(seed: 4)
        let mute = Person(using: &random)
        let identity = mute.credentials.identity
        try circle.decide("Alice") { .add(under: $0, targets: [Credentials(identity: identity, wraps: [])]) }
        #expect(circle.group.isMember(mute.user))
        #expect(
            devices(try circle.view())
                == [circle.person("Alice"), circle.person("Bob")]
                .sorted { $0.user < $1.user }.map(\.device))
    }

    @Test func `is not known where a head is not`() throws {
        let circle = try Circle("Alice", "Bob")
        let stranger = OperationID(digest: .hash("moot/1/test"))
        var group = circle.group
        #expect(group.view(at: [stranger], in: circle.log.membership) == nil)
    }

    @Test func `differs in its name as soon as anything in it differs`() throws {
        let one = try Circle("Alice", "Bob", seed: 1)
        let two = try Circle("Alice", "Bob", seed: 2)
        var first = one
        var second = two
        #expect(try first.view().id != second.view().id)
    }
}
