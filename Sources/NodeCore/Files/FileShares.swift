import Blobs
import OperationLog

/// How much of the disk the files of each person may take without being asked for: nobody fills it for all others.
struct FileShares: Sendable {
    /// Who answers for a blob.
    enum Claimant: Hashable, Sendable {
        /// Who sent it, or set it as a group's photo.
        case author(UserID)
        /// All the people who show their photos, for anybody on the network may be one of them.
        case cards
    }

    /// An author's part of all that files may take.
    static let part = 5
    /// The part of people's photos.
    static let partOfCards = 20

    private var claims: [BlobAddress: Claimant] = [:]
    private var bytes: [Claimant: Int] = [:]

    /// Counts a blob for somebody, unless it is counted already.
    mutating func claim(_ address: BlobAddress, for claimant: Claimant) {
        guard claims[address] == nil else { return }
        claims[address] = claimant
        bytes[claimant, default: 0] += address.length
    }

    /// Counts a blob no longer.
    mutating func release(_ address: BlobAddress) {
        guard let claimant = claims.removeValue(forKey: address) else { return }
        bytes[claimant, default: 0] -= address.length
    }

    /// Whether all that is counted for whoever answers for a blob is within his share.
    ///
    /// - Parameter quota: bytes that files may take.
    func fits(_ address: BlobAddress, quota: Int) -> Bool {
        switch claims[address] {
        case .author(let user): bytes[.author(user), default: 0] <= quota / Self.part
        case .cards: bytes[.cards, default: 0] <= quota / Self.partOfCards
        case nil: true
        }
    }
}
