import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Storage
import Testing
import Time

@Suite("A receipt where there are more chains than it names")
struct ManyChainsTests {
    @Test(arguments: [-1, 0, 1])
    func `names those of the members of now, whatever else there is`(surplus: Int) throws {
        var random = SplitMix64(seed: 1)
        let author = Person(using: &random).author
        let count = ReceiptRecord.maximumChains + surplus
        let devices = (0..<count).map { number in
            DeviceID(digest: .hash("test", [UInt8(number & 0xFF), UInt8(number >> 8)]))
        }
        .sorted()
        let last = try #require(devices.last)
        let chains = ReceiptRecord.chains(among: devices, first: [last])
        #expect(chains.count == min(count, ReceiptRecord.maximumChains))
        #expect(chains.contains(last))
        let conversation = ConversationID(digest: .hash("test", [1]))
        let marks = Dictionary(chains.map { ($0, ReceiptRecord.Mark(received: 1 << 53, read: 1)) }) { first, _ in first
        }
        let record = ReceiptRecord(
            by: author, in: conversation, version: .max, time: Timestamp(clamping: .max), marks: marks)
        #expect(try ReceiptRecord(verifying: record.encoded, of: conversation) == record)
    }
}
