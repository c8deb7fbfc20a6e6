extension History {
    /// Whether the end of an invite voids a join by it, if it counts.
    ///
    /// Who takes an invite back undoes what he had not seen. Who turns one down gives up something himself: that ends what comes after it, so
    /// a stale phone that declines does not undo what the laptop accepted.
    func ends(_ ending: Int, joinedBy join: Int) -> Bool {
        records[ending].action == .decline
            ? records[join].past.contains(ending) : !records[ending].past.contains(join)
    }
}
