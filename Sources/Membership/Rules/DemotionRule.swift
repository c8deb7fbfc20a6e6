extension Evaluation {
    /// A demotion asks what a removal asks, and leaves the target with less than he has, and with less than admin.
    mutating func demotionObjection(to record: Record, of target: Int, to tier: Tier) -> Objection<Int>? {
        if let objection = removalObjection(to: record, of: target) { return objection }
        guard tier < .admin, hasLiveGrant(target, above: Level(tier)) else { return Objection(.demotesToNothingLess) }
        return nil
    }
}
