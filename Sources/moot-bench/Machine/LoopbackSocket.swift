import Foundation

/// A blocking TCP connection over loopback.
final class LoopbackSocket {
    let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(descriptor) }

    /// Listens on a free port; the descriptor and the port.
    static func listen() throws -> (descriptor: Int32, port: UInt16) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = address(of: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, length) == 0 && Glibc.listen(listener, 1) == 0
                    && getsockname(listener, generic, &length) == 0
            }
        }
        guard isListening else {
            close(listener)
            throw BenchError("cannot listen on loopback")
        }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    /// A port on which nobody listens now.
    static func freePort() throws -> UInt16 {
        let (descriptor, port) = try listen()
        close(descriptor)
        return port
    }

    /// Connects to a port, trying again for some seconds where nobody listens yet.
    static func connect(to port: UInt16, timeout: Double = 0) throws -> LoopbackSocket {
        let end = ContinuousClock.now + .seconds(timeout)
        while true {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            let isConnected = withUnsafePointer(to: address(of: port)) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            if isConnected { return LoopbackSocket(descriptor) }
            close(descriptor)
            guard ContinuousClock.now < end else { throw BenchError("cannot connect over loopback") }
            Thread.sleep(forTimeInterval: 0.02)
        }
    }

    private static func address(of port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    /// Writes everything.
    func write(_ bytes: [UInt8]) throws {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw BenchError("loopback broke") }
            written += count
        }
    }

    /// What has come; waits until something has.
    func read() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        guard count > 0 else { throw BenchError("loopback broke") }
        buffer.removeLast(buffer.count - count)
        return buffer
    }
}
