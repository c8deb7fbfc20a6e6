import Testing
import Waiting

/// Several hosts, real processes, real sockets, real disks. A few stories at a time: they share nothing, and mostly
/// wait.
@Suite("System", .scaledTimeLimit(minutes: 4))
enum Stories {}
