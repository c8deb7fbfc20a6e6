import Testing

/// Everything that opens sockets, one test after the other: some count the descriptors of the whole process.
@Suite("Sockets", .serialized)
struct SocketTests {}
