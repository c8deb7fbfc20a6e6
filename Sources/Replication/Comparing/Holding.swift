import OperationLog

/// What is known of what a peer holds of a lane, or of what it was told that is held here.
enum Holding: Hashable, Sendable {
    /// Nothing was said yet.
    case unknown
    /// Exactly what is held here, whatever that is: it moves along with what is pushed to everybody.
    case ours
    /// Something else.
    case other(LaneDigest)

    /// Takes in what was said, where `mine` is held here.
    init(_ digest: LaneDigest, mine: LaneDigest) { self = digest == mine ? .ours : .other(digest) }

    /// What is known after this node has got what the other side has not got, or is not known to have; `before` was
    /// held here until then.
    func left(at before: FrontierDigest, transcript: [UInt8]) -> Holding {
        self == .ours ? .other(LaneDigest(of: before, transcript: transcript)) : self
    }

    /// What is known now that `mine` is held here.
    func met(by mine: FrontierDigest, transcript: [UInt8]) -> Holding {
        guard case .other(let said) = self else { return self }
        return Holding(said, mine: LaneDigest(of: mine, transcript: transcript))
    }
}
