import Foundation

/// The fastest round trip this machine's loopback allows: two blocking threads and two hundred bytes.
enum LoopbackEcho {
    /// The median of 2,000 round trips, in microseconds.
    static func medianRoundTripMicroseconds() throws -> Double {
        let (listener, port) = try LoopbackSocket.listen()
        defer { close(listener) }
        let near = try LoopbackSocket.connect(to: port)
        let accepted = accept(listener, nil, nil)
        guard accepted >= 0 else { throw BenchError("cannot accept over loopback") }
        let echo = Thread {
            let far = LoopbackSocket(accepted)
            while let bytes = try? far.read(), (try? far.write(bytes)) != nil {}
        }
        echo.start()
        let message = [UInt8](repeating: 9, count: 200)
        var samples: [Double] = []
        for _ in 0..<2_000 {
            samples.append(
                try seconds {
                    try near.write(message)
                    var got = 0
                    while got < message.count { got += try near.read().count }
                } * 1_000_000)
        }
        return Statistics(samples).median
    }
}
