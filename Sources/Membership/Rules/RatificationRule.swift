extension Evaluation {
    /// A ratification keeps people below admin who once were members, and bans whom its author could remove.
    ///
    /// One bad entry spoils the whole: an operation counts or it does not. A ban asks for no live grant, so that it can repeat a removal
    /// whose author has left.
    mutating func ratificationObjection(to record: Record, keep: [Kept<Int>], bans: [Int]) -> Objection<Int>? {
        for (place, kept) in keep.enumerated() {
            guard kept.role < .admin else { return Objection(.keepsTooHigh, entry: place + 1) }
            guard everHadGrant(kept.person) else { return Objection(.keepsAStranger, entry: place + 1) }
        }
        for (place, person) in bans.enumerated() {
            if let objection = revocationObjection(to: record, from: person) { return objection.of(entry: place + 1) }
        }
        return nil
    }
}
