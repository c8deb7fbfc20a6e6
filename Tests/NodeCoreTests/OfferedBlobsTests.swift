import Blobs
import Cryptography
import OperationLog
import Testing
import Time

@testable import NodeCore

@Suite("Blobs that are only offered")
struct OfferedBlobsTests {
    private func blob(_ number: Int) throws -> BlobAddress {
        try #require(BlobAddress(top: .hash("test", withUnsafeBytes(of: number) { Array($0) }), length: 1))
    }

    private func offered(_ count: Int) throws -> OfferedBlobs {
        var offered = OfferedBlobs()
        for number in 0..<count {
            let address = try blob(number)
            offered.insert(address, holding: ChunkSet(of: address))
        }
        return offered
    }

    @Test func `each has its turn once, few at a time`() throws {
        let count = 3 * OfferedBlobs.maximumInTurn + 5
        var offered = try offered(count)
        #expect(offered.nextTurn == nil)
        offered.considerAll(from: Instant(sinceStart: .seconds(1)))
        var seen: [BlobAddress] = []
        while let now = offered.nextTurn {
            let turn = offered.takeTurn(at: now)
            #expect(turn.count <= OfferedBlobs.maximumInTurn)
            seen += turn
        }
        #expect(seen.count == count && Set(seen).count == count)
    }

    @Test func `a new round that begins in the middle of one repeats no blob before the others had their turn`() throws
    {
        let count = 2 * OfferedBlobs.maximumInTurn
        var offered = try offered(count)
        let start = Instant(sinceStart: .zero)
        offered.considerAll(from: start)
        let first = offered.takeTurn(at: start)
        offered.considerAll(from: start)
        let second = offered.takeTurn(at: start)
        #expect(Set(first).isDisjoint(with: second))
        #expect(offered.takeTurn(at: start) == first)
        #expect(offered.takeTurn(at: start).isEmpty && offered.nextTurn == nil)
    }

    @Test func `what is not offered any more has no turn, and leaves the others theirs`() throws {
        let count = 2 * OfferedBlobs.maximumInTurn
        var offered = try offered(count)
        let start = Instant(sinceStart: .zero)
        offered.considerAll(from: start)
        var seen = Set(offered.takeTurn(at: start))
        for number in 0..<count where number % 20 != 0 { #expect(offered.remove(try blob(number)) != nil) }
        #expect(offered.remove(try blob(1)) == nil)
        while let now = offered.nextTurn { seen.formUnion(offered.takeTurn(at: now)) }
        for number in stride(from: 0, to: count, by: 20) { #expect(seen.contains(try blob(number))) }
    }
}
