extension Evaluation {
    /// A ratification keeps people below admin who once were members, and bans whom its author could remove.
    ///
    /// One bad entry spoils the whole: an operation counts or it does not. A ban asks for no live grant, so that it can repeat a removal
    /// whose author has left.
    mutating func ratificationObjection(to record: Record, keep: [Kept<Int>], bans: [Int]) -> Objection<Int>? {
        guard keep.allSatisfy({ $0.tier < .admin && everHadGrant($0.person) }) else {
            return Objection(.keepsAStranger)
        }
        for person in bans {
            if let objection = revocationObjection(to: record, from: person) { return objection }
        }
        return nil
    }
}
