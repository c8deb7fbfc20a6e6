extension Evaluation {
    /// A demotion asks what a removal asks, and leaves the target with less than they have, and with less than admin.
    mutating func demotionObjection(to record: Record, of target: Int, to role: Role) -> Objection<Int>? {
        if let objection = removalObjection(to: record, of: target) { return objection }
        guard role < .admin, hasLiveGrant(target, above: RemainingRole(role)) else {
            return Objection(.demotesToNothingLess)
        }
        return nil
    }
}
