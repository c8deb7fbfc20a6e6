import Blobs
import OperationLog

/// How much of the disk the files of each person take that were fetched without being asked for: nobody fills it for all others.
///
/// What counts is what is fetched, or here, not what somebody says there is.
struct FileQuotas: Sendable {
    /// Who answers for a blob.
    enum Claimant: Hashable, Sendable {
        /// The user: they sent it, or asked for it.
        case user
        /// Who sent it, or set it as a group's photo.
        case author(UserID)
        /// All the people who show their photos, for anybody on the network may be one of them.
        case cards

        /// The part of all that files may take.
        var part: Int {
            switch self {
            case .user: 1
            case .author: 5
            case .cards: 20
            }
        }
    }

    private var claims: [BlobAddress: Claimant] = [:]
    private var bytes: [Claimant: Int] = [:]
    /// Blobs of one person that are looked for at a time: nobody keeps others busy with what does not exist.
    static let maximumSeeks = 2_048

    private var seekers: [BlobAddress: UserID] = [:]
    private var seekCounts: [UserID: Int] = [:]

    /// Whether a blob is counted for somebody.
    func isClaimed(_ address: BlobAddress) -> Bool { claims[address] != nil }

    /// Whether a blob fits into somebody's share, in addition to what is counted for them.
    ///
    /// - Parameter quota: bytes that files may take.
    func fits(_ address: BlobAddress, of claimant: Claimant, quota: Int) -> Bool {
        bytes[claimant, default: 0] + address.length <= quota / claimant.part
    }

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

    /// Counts a blob as looked for; false if too many of that person are.
    mutating func seek(_ address: BlobAddress, of author: UserID) -> Bool {
        guard seekers[address] == nil else { return true }
        guard seekCounts[author, default: 0] < Self.maximumSeeks else { return false }
        seekers[address] = author
        seekCounts[author, default: 0] += 1
        return true
    }

    /// Counts a blob as looked for no longer.
    mutating func stopSeeking(_ address: BlobAddress) {
        guard let author = seekers.removeValue(forKey: address) else { return }
        seekCounts[author, default: 0] -= 1
    }
}
