import Foundation
import Synchronization

/// Ports of loopback for nodes, each given out once.
///
/// The kernel soon gives a freed port to another process. Peers of a node that has ended would dial that port and meet
/// a node of another story. So these ports are below the kernel's range.
enum LoopbackPort {
    private static let range = 10_000..<32_768
    private static let count = Mutex(Int(getpid()) * 7_919)

    /// A port on which nobody listens.
    static func next() -> Int {
        while true {
            let number = count.withLock { count in
                count += 1
                return count
            }
            let port = range.lowerBound + number % range.count
            if isFree(UInt16(port)) { return port }
        }
    }

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
        }
    }
}
