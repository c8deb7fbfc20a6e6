import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

@Suite("Tombstones")
struct TombstoneTests {
    private static func devices(_ count: Int, using random: inout SplitMix64) -> [DeviceID] {
        (0..<count).map { _ in DeviceID(digest: .hash("device", random.bytes(8))) }
    }

    @Test func `are read as they were signed, and not if anything of them was changed`() throws {
        var random = SplitMix64(seed: 1)
        let alice = Person(using: &random)
        let tombstone = Tombstone(root: alice.root, device: alice.device, kind: .revoked)
        #expect(tombstone.encoded.count == Tombstone.byteCount)
        #expect(try Tombstone(verifying: tombstone.encoded) == tombstone)
        for place in tombstone.encoded.indices {
            var changed = tombstone.encoded
            changed[place] ^= 1
            #expect(throws: MalformedBytes.self) { try Tombstone(verifying: changed) }
        }
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `end as one set, in whatever order they come, also beyond the most that are kept`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let alice = Person(using: &random)
        let devices = Self.devices(seed % 10 == 0 ? 300 : 6, using: &random)
        let all = devices.flatMap { device in
            [Tombstone.Kind.retired, .revoked].filter { _ in Bool.random(using: &random) }.map {
                Tombstone(root: alice.root, device: device, kind: $0)
            }
        }
        var (one, other) = (Tombstones(), Tombstones())
        for tombstone in all.shuffled(using: &random) {
            let isNews = one.wouldTake(tombstone)
            #expect(one.insert(tombstone) == isNews)
        }
        for tombstone in (all + all).shuffled(using: &random) { other.insert(tombstone) }
        #expect(one == other)
        #expect(one.count <= Tombstones.maximumCount)
    }

    @Test func `of a retirement become a revocation, and never the other way`() {
        var random = SplitMix64(seed: 2)
        let alice = Person(using: &random)
        var tombstones = Tombstones()
        let areNews = [Tombstone.Kind.retired, .revoked, .retired].map { kind in
            tombstones.insert(Tombstone(root: alice.root, device: alice.device, kind: kind))
        }
        #expect(areNews == [true, true, false])
        #expect(tombstones[alice.device]?.kind == .revoked)
    }

    @Test func `leave of the newest record the other devices, and of the keys theirs`() {
        var random = SplitMix64(seed: 3)
        let alice = Person(using: &random)
        let mallory = Person(using: &random)
        let wrap = WrapRecord(by: alice.author, counter: 1, key: AgreementKey.generate(using: &random).publicKey)
        var known = KnownCredentials()
        let record = IdentityRecord(
            root: alice.root, serial: 5, devices: [.init(device: alice.author.device, name: "desk")])
        known.learn(Credentials(identity: record, wraps: [wrap]))
        known.learn(Tombstone(root: mallory.root, device: alice.device, kind: .revoked))
        #expect(known.certifies(alice.author.device) && known.hasKey(alice.user))
        known.learn(Tombstone(root: alice.root, device: alice.device, kind: .retired))
        let later = IdentityRecord(
            root: alice.root, serial: IdentityRecord.maximumSerial, devices: record.devices)
        known.learn(Credentials(identity: later, wraps: [wrap]))
        #expect(!known.certifies(alice.author.device) && !known.hasKey(alice.user))
        #expect(known.devices(of: alice.user).isEmpty && known[alice.user]?.wraps.isEmpty == true)
        known.forget(alice.user)
        #expect(known.tombstones(of: alice.user).isEmpty)
    }

    @Test func `cannot be outrun by a record of the far future`() throws {
        var random = SplitMix64(seed: 4)
        let alice = Person(using: &random)
        let last = IdentityRecord(
            root: alice.root, serial: IdentityRecord.maximumSerial,
            devices: [.init(device: alice.author.device, name: "")])
        #expect(try IdentityRecord(verifying: last.encoded) == last)
        var writer = CanonicalWriter()
        writer.write(alice.user)
        writer.write(number: IdentityRecord.maximumSerial + 1)
        writer.write(count: 1)
        writer.write(raw: alice.author.device.key.bytes)
        writer.write(text: "")
        var statement = Statement("moot/1/identity")
        statement.append(writer.bytes)
        writer.write(raw: alice.root.sign(statement.bytes).bytes)
        #expect(throws: MalformedBytes.invalid(field: "serial")) { try IdentityRecord(verifying: writer.bytes) }
    }
}
