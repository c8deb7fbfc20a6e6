import OperationLog
import Replication

/// What a node remembers of strangers for a moment, and how much it does for them.
struct Strangers {
    /// Strangers who are gone, of whom somebody may still be told.
    var gone: Set<UserID> = []
    /// How often it is looked up in which conversations the user takes part.
    var participation = TokenBucket(burst: 1, interval: .seconds(1))
    /// How many strangers are compared with everybody else by name.
    var namesakes = TokenBucket(burst: 16, interval: .seconds(1))
    /// How much is written into the log of strangers.
    var diagnostics = TokenBucket(burst: 64, interval: .seconds(2))
}
