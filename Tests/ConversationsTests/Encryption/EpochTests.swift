import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

@Suite("Only the members of the moment read")
struct EpochTests {
    private let text: [UInt8]

    init() throws {
        text = try #require(MessageBody(text: "hello")).encoded
    }

    private func correspondence() throws -> Correspondence {
        var circle = try Circle("Alice", "Bob", "Carol")
        try circle.decide("Alice") { .set(under: $0, field: Group.nameField, value: "Ship") }
        return Correspondence(circle)
    }

    @Test func `a message is read by every member, and by nobody whom its view leaves out`() throws {
        var letters = try correspondence()
        let epoch = try letters.writeEpoch(by: "Alice")
        let message = try letters.write("hello", by: "Bob", under: epoch.operation.id, epoch.key)
        for name in ["Alice", "Bob", "Carol"] { #expect(letters.reading(of: message, by: name) == .open(text)) }
        let carol = letters.circle.user("Carol")
        try letters.circle.decide("Alice") { .remove(under: $0, target: carol, pins: []) }
        let next = try letters.writeEpoch(by: "Alice")
        let later = try letters.write("hello", by: "Bob", under: next.operation.id, next.key)
        #expect(letters.reading(of: later, by: "Bob") == .open(text))
        #expect(letters.reading(of: later, by: "Carol") == .closed)
        #expect(letters.reading(of: message, by: "Carol") == .open(text))
    }

    @Test func `the key of before a removal is not used after it, and is again when the view recurs`() throws {
        var letters = try correspondence()
        let before = try letters.circle.view()
        let epoch = try letters.writeEpoch(by: "Alice")
        let carol = letters.circle.user("Carol")
        #expect(letters.epochs(of: "Bob").usable(for: before.id)?.id == epoch.operation.id)
        try letters.circle.decide("Alice") { .remove(under: $0, target: carol, pins: []) }
        #expect(letters.epochs(of: "Bob").usable(for: try letters.circle.view().id) == nil)
        let credentials = letters.circle.person("Carol").credentials
        try letters.circle.decide("Alice") { .add(under: $0, targets: [credentials]) }
        #expect(try letters.circle.view().id == before.id)
        #expect(letters.epochs(of: "Bob").usable(for: before.id)?.id == epoch.operation.id)
    }

    @Test func `an erased key reads nothing, is not used again, and is not asked for`() throws {
        var letters = try correspondence()
        let epoch = try letters.writeEpoch(by: "Alice")
        let message = try letters.write("hello", by: "Bob", under: epoch.operation.id, epoch.key)
        var epochs = letters.epochs(of: "Carol")
        epochs.erase([epoch.operation.id])
        let (view, carol) = (try letters.circle.view(), letters.circle.person("Carol"))
        #expect(epochs.read(message, view: view, for: carol.user) == .unreadable(.keyErased))
        #expect(epochs.usable(for: view.id) == nil)
        #expect(try epochs.epoch(epoch.operation.id).complaintsOwed(by: carol.device) == 0)
    }

    @Test func `a message under a key of other readers cannot be read, though it opens`() throws {
        var letters = try correspondence()
        let epoch = try letters.writeEpoch(by: "Alice")
        let carol = letters.circle.user("Carol")
        try letters.circle.decide("Alice") { .remove(under: $0, target: carol, pins: []) }
        let message = try letters.write("hello", by: "Bob", under: epoch.operation.id, epoch.key)
        #expect(letters.reading(of: message, by: "Alice") == .unreadable(.wrongEpoch))
    }

    @Test func `an epoch for fewer readers than there are members is no epoch`() throws {
        var letters = try correspondence()
        let circle = letters.circle
        let carol = circle.user("Carol")
        var other = circle
        try other.decide("Alice") { .remove(under: $0, target: carol, pins: []) }
        let smaller = try other.view()
        let epoch = try letters.writeEpoch(by: "Alice", for: smaller)
        let message = try letters.write("hello", by: "Alice", under: epoch.operation.id, epoch.key)
        #expect(letters.reading(of: message, by: "Bob") == .unreadable(.falseEpoch))
        #expect(letters.epochs(of: "Bob").usable(for: smaller.id) == nil)
    }

    @Test func `a wrap that does not open is complained of, and everybody writes under another key until it is mended`()
        throws
    {
        var letters = try correspondence()
        let bob = letters.circle.person("Bob").device
        let epoch = try letters.writeEpoch(by: "Alice") { reader, wrap in
            reader.device == bob ? [UInt8](repeating: 1, count: wrap.count) : wrap
        }
        let view = try letters.circle.view().id
        let message = try letters.write("hello", by: "Alice", under: epoch.operation.id, epoch.key)
        #expect(letters.reading(of: message, by: "Bob") == .unreadable(.wrapBroken))
        #expect(letters.reading(of: message, by: "Carol") == .open(text))
        #expect(letters.epochs(of: "Bob").all[epoch.operation.id]?.complaintsOwed(by: bob) == 1)
        #expect(letters.epochs(of: "Bob").owed == [epoch.operation.id])
        try letters.complain(by: "Bob", about: epoch.operation.id)
        #expect(letters.epochs(of: "Bob").all[epoch.operation.id]?.complaintsOwed(by: bob) == 0)
        #expect(letters.epochs(of: "Bob").owed.isEmpty)
        #expect(letters.epochs(of: "Carol").usable(for: view) == nil)
        try letters.wrap(epoch.key, of: epoch.operation.id, for: "Bob", by: "Carol")
        #expect(letters.epochs(of: "Carol").usable(for: view)?.id == epoch.operation.id)
        #expect(letters.reading(of: message, by: "Bob") == .open(text))
    }

    @Test func `a key that is not the one its author committed to is refused, also when it is sealed once more`() throws
    {
        var letters = try correspondence()
        var random = SplitMix64(seed: 9)
        let other = EpochKey.generate(using: &random)
        let epoch = try letters.writeEpoch(by: "Alice", committing: other)
        let message = try letters.write("hello", by: "Alice", under: epoch.operation.id, epoch.key)
        #expect(letters.reading(of: message, by: "Bob") == .unreadable(.commitBroken))
        try letters.wrap(epoch.key, of: epoch.operation.id, for: "Bob", by: "Carol")
        #expect(letters.reading(of: message, by: "Bob") == .unreadable(.commitBroken))
    }

    @Test func `help that is none is complained of again, and whoever gave it is not asked again`() throws {
        var letters = try correspondence()
        let bob = letters.circle.person("Bob").device
        let carol = letters.circle.person("Carol").device
        let wrapKey = letters.circle.person("Bob").wrapKey.publicKey
        var random = SplitMix64(seed: 9)
        let other = EpochKey.generate(using: &random)
        let epoch = try letters.writeEpoch(by: "Alice") { reader, wrap in
            reader.device == bob ? [UInt8](repeating: 1, count: wrap.count) : wrap
        }
        let id = epoch.operation.id
        let view = try letters.circle.view().id
        try letters.complain(by: "Bob", about: id)
        try letters.wrap(other, of: id, for: "Bob", by: "Carol")
        #expect(letters.epochs(of: "Carol").usable(for: view) != nil)
        #expect(letters.epochs(of: "Bob").all[id]?.complaintsOwed(by: bob) == 1)
        #expect(letters.epochs(of: "Bob").owed == [id])
        try letters.complain(by: "Bob", about: id)
        #expect(letters.epochs(of: "Carol").usable(for: view) == nil)
        #expect(letters.epochs(of: "Alice").all[id]?.hasHelped(carol, bob, sealingTo: wrapKey) == true)
        try letters.wrap(epoch.key, of: id, for: "Bob", by: "Alice")
        #expect(letters.epochs(of: "Alice").usable(for: view)?.id == id)
        #expect(letters.epochs(of: "Bob").usable(for: view)?.id == id)
    }

    @Test func `complaints of strangers keep nobody from using an epoch`() throws {
        var letters = try correspondence()
        let carol = letters.circle.user("Carol")
        try letters.circle.decide("Alice") { .remove(under: $0, target: carol, pins: []) }
        let epoch = try letters.writeEpoch(by: "Alice")
        let view = try letters.circle.view().id
        try letters.complain(by: "Carol", about: epoch.operation.id)
        #expect(letters.epochs(of: "Bob").usable(for: view) != nil)
    }

    @Test func `whoever is out makes no key for those who stay`() throws {
        var letters = try correspondence()
        let carol = letters.circle.user("Carol")
        try letters.circle.decide("Alice") { .remove(under: $0, target: carol, pins: []) }
        let view = try letters.circle.view()
        let epoch = try letters.writeEpoch(by: "Carol", for: view)
        #expect(letters.epochs(of: "Bob").usable(for: view.id) == nil)
        let message = try letters.write("hello", by: "Alice", under: epoch.operation.id, epoch.key)
        #expect(letters.reading(of: message, by: "Bob") == .unreadable(.falseEpoch))
    }

    @Test func `a device that its user struck out makes no key for the others`() throws {
        var letters = try correspondence()
        var random = SplitMix64(seed: 5)
        // A laptop, whose list of devices does not name the one at which Carol sits any more.
        let carol = letters.circle.person("Carol")
        let other = Author(user: carol.user, key: SigningKey.generate(using: &random))
        let identity = IdentityRecord(
            root: carol.root, serial: 2, devices: [.init(device: other.device, name: "laptop")])
        try letters.circle.write(
            by: "Alice",
            .device(
                own: letters.circle.person("Alice").credentials,
                other: Credentials(identity: identity, wraps: [])))
        let view = try letters.circle.view()
        _ = try letters.writeEpoch(by: "Carol", for: view)
        #expect(!view.contains(carol.device))
        #expect(letters.epochs(of: "Bob").usable(for: view.id) == nil)
    }

    @Test func `noise to keys that nobody published is no help`() throws {
        var letters = try correspondence()
        let bob = letters.circle.person("Bob").device
        var random = SplitMix64(seed: 9)
        let epoch = try letters.writeEpoch(by: "Alice") { reader, wrap in
            reader.device == bob ? [UInt8](repeating: 1, count: wrap.count) : wrap
        }
        let id = epoch.operation.id
        let view = try letters.circle.view().id
        try letters.complain(by: "Bob", about: id)
        for _ in 0..<3 {
            let key = AgreementKey.generate(using: &random).publicKey
            try letters.wrap(epoch.key, of: id, for: "Bob", to: key, by: "Carol")
        }
        #expect(letters.epochs(of: "Bob").all[id]?.complaintsOwed(by: bob) == 0)
        #expect(letters.epochs(of: "Bob").owed.isEmpty)
        #expect(letters.epochs(of: "Carol").usable(for: view) == nil)
        try letters.wrap(epoch.key, of: id, for: "Bob", by: "Carol")
        #expect(letters.epochs(of: "Carol").usable(for: view)?.id == id)
    }

    @Test func `of two epochs of one view their makers use their own, and everybody else the smaller`() throws {
        var letters = try correspondence()
        let (alices, bobs) = (try letters.writeEpoch(by: "Alice"), try letters.writeEpoch(by: "Bob"))
        let view = try letters.circle.view().id
        #expect(letters.epochs(of: "Alice").usable(for: view)?.id == alices.operation.id)
        #expect(letters.epochs(of: "Bob").usable(for: view)?.id == bobs.operation.id)
        let smaller = min(alices.operation.id, bobs.operation.id)
        #expect(letters.epochs(of: "Carol").usable(for: view)?.id == smaller)
    }

    @Test func `who made an epoch goes on with it, whoever complains`() throws {
        var letters = try correspondence()
        let epoch = try letters.writeEpoch(by: "Alice")
        let view = try letters.circle.view().id
        try letters.complain(by: "Carol", about: epoch.operation.id)
        #expect(letters.epochs(of: "Alice").usable(for: view)?.id == epoch.operation.id)
        #expect(letters.epochs(of: "Bob").usable(for: view) == nil)
    }

    @Test func `who wrote under an epoch is known, if they wrote to its view`() throws {
        var letters = try correspondence()
        let epoch = try letters.writeEpoch(by: "Alice")
        let view = try letters.circle.view().id
        var epochs = letters.epochs(of: "Carol")
        let (alice, bob) = (letters.circle.person("Alice"), letters.circle.person("Bob"))
        #expect(epochs.all[epoch.operation.id]?.claimants == [alice.user])
        epochs.note(writer: bob.device, under: epoch.operation.id, to: ViewID(digest: .hash("another")))
        #expect(epochs.all[epoch.operation.id]?.writers == [])
        epochs.note(writer: bob.device, under: epoch.operation.id, to: view)
        #expect(epochs.all[epoch.operation.id]?.claimants == [alice.user, bob.user])
    }

    @Test(arguments: [0, 1, 39, 40, 55])
    func `a truncated body does not open`(count: Int) throws {
        var letters = try correspondence()
        let epoch = try letters.writeEpoch(by: "Alice")
        let message = try letters.write("hello", by: "Bob", under: epoch.operation.id, epoch.key) {
            Array($0.prefix(count))
        }
        #expect(letters.reading(of: message, by: "Alice") == .unreadable(.brokenSeal))
    }

    @Test func `every changed bit of a body keeps it shut`() throws {
        var letters = try correspondence()
        let epoch = try letters.writeEpoch(by: "Alice")
        for place in stride(from: 0, to: 56, by: 5) {
            let message = try letters.write("hello", by: "Bob", under: epoch.operation.id, epoch.key) { body in
                var body = body
                body[place] ^= 1
                return body
            }
            #expect(letters.reading(of: message, by: "Alice") == .unreadable(.brokenSeal))
        }
    }

    @Test func `a body that was closed for another place does not open here`() throws {
        var letters = try correspondence()
        let epoch = try letters.writeEpoch(by: "Alice")
        let message = try letters.write("hello", by: "Bob", under: epoch.operation.id, epoch.key)
        let body = try #require(message.body)
        // Carol signs Bob's text in Carol's name, and Bob signs it a second time.
        for name in ["Carol", "Bob"] {
            let copy = try #require(
                try letters.circle.write(
                    content: [.init(type: .message, epoch: epoch.operation.id, body: body)], by: name
                ).first)
            #expect(letters.reading(of: copy, by: "Alice") == .unreadable(.brokenSeal))
        }
    }

    @Test func `what names no epoch, or something else, cannot be read`() throws {
        var letters = try correspondence()
        let epoch = try letters.writeEpoch(by: "Alice")
        let open = try letters.write("hello", by: "Bob", under: nil, epoch.key)
        #expect(letters.reading(of: open, by: "Alice") == .unreadable(.noEpoch))
        let message = try letters.write("hello", by: "Bob", under: open.id, epoch.key)
        #expect(letters.reading(of: message, by: "Alice") == .unreadable(.notAnEpoch))
    }

    @Test func `a body that has not come is wanted, and a text of another kind is malformed`() throws {
        var letters = try correspondence()
        let epoch = try letters.writeEpoch(by: "Alice")
        let message = try letters.write("hello", by: "Bob", under: epoch.operation.id, epoch.key)
        #expect(letters.reading(of: message.withoutBody, by: "Alice") == .wanted)
        #expect(message.withoutBody.with(body: try #require(message.body)) == message)
        #expect(message.withoutBody.with(body: [1]) == nil)
    }
}
