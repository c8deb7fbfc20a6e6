import LocalAPIModel

/// The node's user as `moot whoami` and `moot profile` print them.
enum IdentityLines {
    static func lines(about me: IdentityDescription, _ output: Output) -> [String] {
        [
            output.bold(TerminalText.line(me.name)),
            "user    \(me.user)",
            "device  \(me.device) (\(TerminalText.line(me.deviceName)))",
            "home    \(TerminalText.line(me.home))",
        ] + (me.deleted ? ["deleted permanently: this node writes nothing any more"] : [])
            + (me.photo.map { ["photo   \($0.state)"] } ?? [])
            + (me.receipts ? [] : ["receipts off: others do not learn what you read"])
            + (me.asksWhenAdded ? ["asked   when others add you to a group"] : [])
    }
}
