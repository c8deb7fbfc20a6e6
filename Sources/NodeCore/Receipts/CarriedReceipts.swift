import Cryptography
import OperationLog

/// Receipts of a conversation that wait for somebody who is away.
///
/// A reader gives its receipt to three other members where an author that it covers is not connected: then the author
/// learns of it even if they come back when the reader is gone. All of it is in memory: after a restart a node offers
/// what it holds (``ReceiptExchange``).
struct CarriedReceipts: Sendable {
    /// How many members carry a receipt for an author's device.
    static let carrierCount = 3
    /// Pairs of an author's device and a reader that a node remembers for each conversation. A member may ask it to
    /// carry for everybody.
    static let maximumPairs = 16_384

    /// For each author's device, whose receipts this node was asked to give it.
    private var readers: [DeviceID: Set<DeviceID>] = [:]
    private var pairCount = 0
    /// For each author's device that this device's own receipt has not reached, the people who carry it, where that are
    /// too few.
    private(set) var uncarried: [DeviceID: Set<UserID>] = [:]

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

    /// Notes who carries this device's own receipt to an author's device.
    mutating func note(carriers: Set<UserID>, for author: DeviceID) {
        uncarried[author] = carriers.count < Self.carrierCount ? carriers : nil
    }

    /// Notes that an author's device has this device's own receipt.
    mutating func reach(_ author: DeviceID) { uncarried[author] = nil }

    /// Forgets those whose devices do not count any more.
    mutating func keep(for authors: Set<DeviceID>) {
        readers = readers.filter { authors.contains($0.key) }
        pairCount = readers.values.reduce(0) { $0 + $1.count }
        uncarried = uncarried.filter { authors.contains($0.key) }
    }

    /// The members among whom a receipt is left for an author's device: everybody computes the same, and each author
    /// has other ones. Each is another person, so that nobody who forgets it does so alone.
    static func carriers<Member>(
        for author: DeviceID, among members: [Member], count: Int = carrierCount, device: (Member) -> Device
    ) -> [Member] {
        let ranked = members.map { (rank: rank(of: device($0).id, for: author), member: $0) }
            .sorted { $0.rank < $1.rank }.map(\.member)
        var people: Set<UserID> = []
        return Array(ranked.filter { people.insert(device($0).user).inserted }.prefix(count))
    }

    /// Where a member's device stands among those who carry for an author's.
    static func rank(of member: DeviceID, for author: DeviceID) -> Digest {
        Digest.hash("moot/1/carrier", author.digest.bytes, member.digest.bytes)
    }
}
