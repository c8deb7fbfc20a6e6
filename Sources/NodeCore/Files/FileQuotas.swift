import Blobs
import OperationLog

/// How much of the disk the files of each person take that were fetched without being asked for: nobody fills it for
/// all others.
///
/// What counts is what is being fetched, or here, not what somebody says there is.
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

    /// What is counted of a blob.
    private struct Claim {
        let claimant: Claimant
        let bytes: Int
    }

    private var claims: [BlobAddress: Claim] = [:]
    private var bytes: [Claimant: Int] = [:]
    /// Bytes that are counted for others than the user.
    private var automaticBytes = 0
    /// The blobs of which more is counted than was here when they were last looked at.
    private(set) var reserved: Set<BlobAddress> = []
    /// Blobs of one person that are looked for at a time: nobody keeps others busy with what does not exist.
    static let maximumSeeks = 2_048

    private var seekers: [BlobAddress: UserID] = [:]
    private var seekCounts: [UserID: Int] = [:]

    /// Whether all of a blob fits into somebody's share, in addition to what is counted for them: the user's is what
    /// others leave, and they leave a quarter.
    ///
    /// - Parameter quota: bytes that files may take.
    func fits(_ address: BlobAddress, of claimant: Claimant, quota: Int) -> Bool {
        let claim = claims[address] ?? Claim(claimant: claimant, bytes: 0)
        guard claim.bytes < address.length else { return true }
        let counted = bytes[claimant, default: 0] - (claim.claimant == claimant ? claim.bytes : 0)
        guard counted + address.length <= quota / claimant.part else { return false }
        let automatic = automaticBytes - (claim.claimant == .user ? 0 : claim.bytes)
        return claimant == .user || automatic + address.length <= quota / 4 * 3
    }

    /// Counts all of a blob for somebody, so that it has room until it is here.
    mutating func reserve(_ address: BlobAddress, for claimant: Claimant) {
        if let claim = claims[address], claim.bytes == address.length { return }
        count(address.length, of: address, for: claimant)
        reserved.insert(address)
    }

    /// Counts so many bytes of a blob for somebody.
    mutating func count(_ byteCount: Int, of address: BlobAddress, for claimant: Claimant) {
        release(address)
        claims[address] = Claim(claimant: claimant, bytes: byteCount)
        add(byteCount, to: claimant)
    }

    private mutating func add(_ byteCount: Int, to claimant: Claimant) {
        bytes[claimant, default: 0] += byteCount
        if claimant != .user { automaticBytes += byteCount }
    }

    /// Counts of a blob no more than what is here.
    mutating func keep(_ byteCount: Int, of address: BlobAddress) {
        guard let claim = claims[address] else { return }
        count(byteCount, of: address, for: claim.claimant)
    }

    /// Counts a blob no longer.
    mutating func release(_ address: BlobAddress) {
        reserved.remove(address)
        guard let claim = claims.removeValue(forKey: address) else { return }
        add(-claim.bytes, to: claim.claimant)
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
