extension Evaluation {
    /// A demotion asks what a removal asks, and leaves the target with less than they have, and with less than admin.
    mutating func demotionObjection(
        to record: IndexedOperation, of target: PersonNumber, to role: Role
    ) -> VoidReason<OperationNumber>? {
        if let voidReason = removalObjection(to: record, of: target) { return voidReason }
        guard role < .admin, hasLiveGrant(target, above: RemainingRole(role)) else {
            return VoidReason(.demotesToNothingLess)
        }
        return nil
    }
}
