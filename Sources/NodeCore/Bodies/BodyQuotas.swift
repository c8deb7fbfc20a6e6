import OperationLog

/// How much room the closed bodies of each author take in one conversation, and which of them have none: nobody fills
/// the disk for all others.
///
/// A body that has no room is *declined*. So is everything that its author wrote after it: what is here of a chain, or
/// wanted, ends where the declined begins, so that one number says what was received. Keys have room always.
///
/// Bodies that are cut off have a smaller quota, and declining one does not decline what follows: its author may become
/// a member again, and what they write then counts. People whom nothing lets in share one quota: anybody may make up as
/// many as they like.
public struct BodyQuotas: Hashable, Sendable {
    /// Bytes that all bodies may take together of a conversation that the user has not accepted.
    package static let maximumUnacceptedBytes = 1 << 20
    /// Bytes that the bodies of one author may take of any other.
    package static let maximumAuthorBytes = 256 << 20
    /// The maximum bytes of one author's bodies beyond which bodies that are cut off are declined.
    package static let maximumCutOffBytes = 4 << 20

    /// Bytes of bodies that are here or wanted.
    private var bytes: [UserID: Int]
    private var total: Int
    /// Operations whose bodies are declined.
    public private(set) var declined: Set<OperationID> = []
    /// Where the declined ones of each chain begin.
    private var begins: [DeviceID: UInt64] = [:]
    /// The authors of whom something is declined.
    private var authors: Set<UserID> = []

    /// Takes up what is kept.
    init(
        _ bytes: [UserID: Int] = [:], declined: [Operation] = [], isCutOff: (Operation) -> Bool = { _ in false }
    ) {
        self.bytes = bytes
        total = bytes.values.reduce(0, +)
        for operation in declined { decline(operation, isCutOff: isCutOff(operation)) }
    }

    /// The last number of a chain that can have been received.
    func receivable(of chain: DeviceID) -> UInt64 { begins[chain].map { $0 - 1 } ?? .max }

    /// Counts a body, if there is room for it; else it is declined.
    ///
    /// - Parameters:
    ///   - hasLetIn: whether anything that counts ever let a person in.
    ///   - isCutOff: whether somebody took its author out who had not seen it; asked for only where it makes a
    ///     difference.
    ///   - isUnaccepted: whether the user has not accepted the conversation; likewise.
    mutating func take(
        _ operation: Operation, hasLetIn: (UserID) -> Bool = { _ in true }, isCutOff: () -> Bool,
        isUnaccepted: () -> Bool
    ) -> Bool {
        let (author, length) = (operation.author.user, operation.header.bodyLength)
        let theirs =
            hasLetIn(author)
            ? bytes[author, default: 0] : bytes.reduce(0) { hasLetIn($1.key) ? $0 : $0 + $1.value }
        let size = theirs + length
        let fits =
            authors.isEmpty && total + length <= Self.maximumUnacceptedBytes
            || !authors.contains(author) && size <= Self.maximumAuthorBytes && !isUnaccepted()
                && (size <= Self.maximumCutOffBytes || !isCutOff())
        guard fits else {
            decline(operation, isCutOff: isCutOff())
            return false
        }
        count(operation)
        return true
    }

    /// Counts a body, whether there is room for it or not.
    mutating func count(_ operation: Operation) {
        guard operation.header.bodyLength > 0 else { return }
        bytes[operation.author.user, default: 0] += operation.header.bodyLength
        total += operation.header.bodyLength
    }

    /// Forgets bodies that were erased. What room that makes is found out by counting anew.
    mutating func forget(_ erased: Set<OperationID>) { declined.subtract(erased) }

    private mutating func decline(_ operation: Operation, isCutOff: Bool) {
        declined.insert(operation.id)
        guard !isCutOff else { return }
        authors.insert(operation.author.user)
        let chain = operation.author.id
        begins[chain] = min(begins[chain] ?? .max, operation.header.sequenceNumber)
    }
}
