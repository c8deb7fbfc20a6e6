import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Storage
import Testing
import Time

@testable import Simulation

@Suite("A virtual disk")
struct VirtualDiskTests {
    private let disk = VirtualDisk(replicaEpoch: Array(repeating: 1, count: 16))
    private let card: ProfileCard

    init() throws {
        var random = SeededRandom(seed: 1)
        let person = Person(using: &random)
        card = try #require(person.card())
    }

    private func save() -> Result<Bool, StoreError> {
        Result { () throws(StoreError) in try disk.save(card, seenAt: Timestamp(clamping: 5)) }
    }

    @Test
    func `keeps where people are`() throws {
        let device = DeviceID(digest: .hash("device"))
        let early = Timestamp(clamping: 1_700_000_000_000)
        let late = Timestamp(clamping: 1_700_086_400_000)
        try disk.note(address: "10.0.0.1:1", of: device, success: early)
        try disk.note(address: "10.0.0.1:1", of: device, success: nil)
        try disk.note(address: "10.0.0.2:1", of: device, success: late)
        try disk.note(address: "10.0.0.3:1", of: device, success: nil)
        disk.losePower()
        #expect(try disk.addresses().map(\.address) == ["10.0.0.2:1", "10.0.0.1:1", "10.0.0.3:1"])
        #expect(try disk.addresses().map(\.lastSuccess) == [late, early, nil])
    }

    @Test
    func `keeps what it returned from when the power fails`() throws {
        #expect(try save().get())
        disk.losePower()
        #expect(try disk.profile(of: card.user)?.card == card)
    }

    @Test(arguments: VirtualDisk.CutPoint.allCases)
    func `loses the transaction in which the power fails, unless it was synced`(point: VirtualDisk.CutPoint) throws {
        disk.cutPoint = point
        #expect(throws: StoreError.self) { try save().get() }
        #expect(disk.isCut)
        disk.losePower()
        #expect((try disk.profile(of: card.user) != nil) == (point == .afterSyncing))
    }

    @Test
    func `refuses to write when it is full, and to read as well when it is broken`() throws {
        disk.condition = .full
        #expect(throws: StoreError.diskFull) { try save().get() }
        #expect(try disk.profiles().isEmpty)
        disk.condition = .broken
        #expect(throws: StoreError.self) { try disk.profiles() }
        disk.condition = .healthy
        #expect(try save().get())
    }
}
