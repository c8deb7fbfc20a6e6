import Testing

/// Several hosts, real processes, real sockets, real disks. One story at a time: each has deadlines to keep.
@Suite("System", .serialized, .timeLimit(.minutes(3)))
enum Stories {}
