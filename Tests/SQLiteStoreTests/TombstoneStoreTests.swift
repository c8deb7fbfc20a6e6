import OperationLog
import OperationLogFixtures
import Storage
import Testing

@testable import SQLiteStore

@Suite("Keeping which devices were taken out")
struct TombstoneStoreTests {
    @Test func `a tombstone is there after a start, becomes a revocation, and goes with the person`() throws {
        let directory = try TemporaryDirectory()
        var random = SplitMix64(seed: 1)
        let (alice, bob) = (Person(using: &random), Person(using: &random))
        let retired = Tombstone(root: alice.root, device: alice.device, kind: .retired)
        let other = Tombstone(root: bob.root, device: bob.device, kind: .retired)
        var store = try directory.open()
        try store.save([retired, other])
        try store.close()
        store = try directory.open()
        #expect(Set(try store.tombstones()) == [retired, other])
        let revoked = Tombstone(root: alice.root, device: alice.device, kind: .revoked)
        try store.save([revoked])
        #expect(Set(try store.tombstones()) == [revoked, other])
        try store.forget([alice.user])
        #expect(try store.tombstones() == [other])
    }

    @Test func `of one user no more are kept than count`() throws {
        var random = SplitMix64(seed: 2)
        let (alice, bob) = (Person(using: &random), Person(using: &random))
        let store = try TemporaryDirectory().open()
        let other = Tombstone(root: bob.root, device: bob.device, kind: .retired)
        try store.save([other])
        let many = (0..<Tombstones.maximumCount + 3).map { _ in
            Tombstone(root: alice.root, device: Person(using: &random).device, kind: .retired)
        }
        for tombstone in many.sorted(by: { $0.device > $1.device }) { try store.save([tombstone]) }
        var counting = Tombstones()
        for tombstone in many { counting.insert(tombstone) }
        #expect(Set(try store.tombstones()) == Set(counting.all + [other]))
    }
}
