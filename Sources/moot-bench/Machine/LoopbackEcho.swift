import Foundation

/// The fastest round trip this machine's loopback allows: two blocking threads and two hundred bytes.
enum LoopbackEcho {
    /// The median of 2,000 round trips, in microseconds.
    static func medianRoundTripMicroseconds() throws -> Double {
        var pair: [Int32] = [0, 0]
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, length) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, generic, &length) == 0
            }
        }
        guard isListening else { throw BenchError("cannot listen on loopback") }
        pair[0] = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let isConnected = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(pair[0], $0, length) == 0 }
        }
        guard isConnected else { throw BenchError("cannot connect over loopback") }
        pair[1] = accept(listener, nil, nil)
        guard pair[1] >= 0 else { throw BenchError("cannot accept over loopback") }
        for end in pair {
            var on: Int32 = 1
            setsockopt(end, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        }
        defer { close(pair[0]) }
        let far = pair[1]
        let echo = Thread {
            var buffer = [UInt8](repeating: 0, count: 200)
            while true {
                let count = read(far, &buffer, buffer.count)
                guard count > 0, write(far, buffer, count) == count else { break }
            }
            close(far)
        }
        echo.start()
        var message = [UInt8](repeating: 9, count: 200)
        var samples: [Double] = []
        for _ in 0..<2_000 {
            samples.append(
                try seconds {
                    guard write(pair[0], message, message.count) == message.count else {
                        throw BenchError("loopback broke")
                    }
                    var got = 0
                    while got < 200 {
                        let count = read(pair[0], &message, message.count)
                        guard count > 0 else { throw BenchError("loopback broke") }
                        got += count
                    }
                } * 1_000_000)
        }
        return Statistics(samples).median
    }
}
