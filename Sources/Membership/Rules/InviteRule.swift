extension History {
    /// Whether the end of an invite voids a join by it, if it counts.
    ///
    /// Somebody who takes an invite back undoes what they had not seen. Somebody who turns one down gives up something of their own: that ends what comes after it, so
    /// a stale phone that declines does not undo what the laptop accepted.
    func ends(_ ending: Int, joinedBy join: Int) -> Bool {
        records[ending].action == .decline
            ? records[join].past.contains(ending) : !records[ending].past.contains(join)
    }
}
