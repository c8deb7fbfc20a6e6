import Cryptography
import OperationLog

/// Receipts of a conversation that wait for somebody who is away.
///
/// A reader gives its receipt to three other members where an author that it covers is not connected: then the author learns of it even if
/// they come back when the reader is gone. All of it is in memory: after a restart a node offers what it holds (``ReceiptExchange``).
struct CarriedReceipts: Sendable {
    /// How many members carry a receipt for an author's device.
    static let carrierCount = 3
    /// Pairs of an author's device and a reader that a node remembers for each conversation. A member may ask it to carry for everybody.
    static let maximumPairs = 16_384

    /// For each author's device, whose receipts this node was asked to give it.
    private var readers: [DeviceID: Set<DeviceID>] = [:]
    private var pairCount = 0
    /// For each author's device that this device's own receipt has not reached, how many more members are to carry it.
    var uncarried: [DeviceID: Int] = [:]

    /// Remembers to give an author's device the receipt of a reader.
    mutating func carry(receiptOf reader: DeviceID, to author: DeviceID) {
        guard pairCount < Self.maximumPairs, readers[author, default: []].insert(reader).inserted else { return }
        pairCount += 1
    }

    /// Whether an author's device is to be given something.
    func waits(for author: DeviceID) -> Bool { readers[author] != nil }

    /// Whose receipts an author's device is to be given now; they are remembered no longer.
    mutating func deliver(to author: DeviceID) -> Set<DeviceID> {
        let due = readers.removeValue(forKey: author) ?? []
        pairCount -= due.count
        return due
    }

    /// Forgets those whose devices do not count any more.
    mutating func keep(for authors: Set<DeviceID>) {
        readers = readers.filter { authors.contains($0.key) }
        pairCount = readers.values.reduce(0) { $0 + $1.count }
        uncarried = uncarried.filter { authors.contains($0.key) }
    }

    /// The members among whom a receipt is left for an author's device: everybody computes the same, and each author has other ones.
    static func carriers<Member>(
        for author: DeviceID, among members: [Member], count: Int = carrierCount, id: (Member) -> DeviceID
    ) -> [Member] {
        members.map { (rank: rank(of: id($0), for: author), member: $0) }
            .sorted { $0.rank < $1.rank }.prefix(count).map(\.member)
    }

    /// Where a member's device stands among those who carry for an author's.
    static func rank(of member: DeviceID, for author: DeviceID) -> Digest {
        Digest.hash("moot/1/carrier", author.digest.bytes, member.digest.bytes)
    }
}
