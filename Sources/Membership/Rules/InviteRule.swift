extension History {
    /// Whether the end of an invite voids a join by it, if it counts.
    ///
    /// Canceling an invite also voids joins that the author had not seen. Declining an invite gives up something of
    /// one's own and voids only later joins, so a phone on old heads that declines does not undo what the laptop
    /// accepted.
    func ends(_ ending: OperationNumber, joinedBy join: OperationNumber) -> Bool {
        records[ending].action == .decline
            ? records[join].past.contains(ending) : !records[ending].past.contains(join)
    }
}
