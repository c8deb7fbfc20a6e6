extension Evaluation {
    /// A ratification keeps people below admin who once were members, and bans whom its author could remove.
    ///
    /// One invalid entry voids the whole ratification, because an operation is either effective or void.
    mutating func ratificationObjection(
        to record: IndexedOperation, keep: [Kept<PersonNumber>], bans: [PersonNumber]
    ) -> VoidReason<OperationNumber>? {
        for (place, kept) in keep.enumerated() {
            guard kept.role < .admin else { return VoidReason(.keepsTooHigh, entry: place + 1) }
            guard everHadGrant(kept.person) else { return VoidReason(.keepsAStranger, entry: place + 1) }
        }
        for (place, person) in bans.enumerated() {
            if let voidReason = revocationObjection(to: record, from: person) { return voidReason.of(entry: place + 1) }
        }
        return nil
    }
}
