import CSodium

/// Lends zeroed room on the stack for bytes that are secret, and wipes it afterwards.
///
/// For a value that lives for microseconds guarded memory (``SecretBytes``) would be too much.
func withScratch<Result>(_ count: Int, _ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
    withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { memory in
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        defer { sodium_memzero(memory.baseAddress, memory.count) }
        return body(memory)
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes as libsodium's functions take them.
    ///
    /// - Precondition: there is memory, even if no byte of it counts.
    var octets: UnsafePointer<UInt8> {
        guard let baseAddress else { preconditionFailure("there is memory") }
        return baseAddress.assumingMemoryBound(to: UInt8.self)
    }
}

extension UnsafeMutableRawBufferPointer {
    /// The bytes as libsodium's functions take them.
    ///
    /// - Precondition: there is memory, even if no byte of it counts.
    var octets: UnsafeMutablePointer<UInt8> {
        guard let baseAddress else { preconditionFailure("there is memory") }
        return baseAddress.assumingMemoryBound(to: UInt8.self)
    }
}
