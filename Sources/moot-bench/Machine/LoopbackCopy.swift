import Foundation

/// What `nc` does: one process reads a file and writes it to a socket, another one reads the socket and writes a file.
enum LoopbackCopy {
    /// Moves a file over loopback into another one, which is removed again; two blocking threads.
    static func measure(from source: String, to target: String) throws -> Cost {
        let (listener, port) = try LoopbackSocket.listen()
        defer {
            close(listener)
            unlink(target)
        }
        let near = try LoopbackSocket.connect(to: port)
        let accepted = accept(listener, nil, nil)
        guard accepted >= 0 else { throw BenchError("cannot accept over loopback") }
        let length = try FileManager.default.attributesOfItem(atPath: source)[.size] as? Int ?? 0
        let done = DispatchSemaphore(value: 0)
        let receiver = Thread {
            defer { done.signal() }
            let far = LoopbackSocket(accepted)
            let file = open(target, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            var left = length
            while left > 0, let bytes = try? far.read() {
                _ = write(file, bytes, bytes.count)
                left -= bytes.count
            }
            close(file)
        }
        let start = Cost.now
        receiver.start()
        let file = open(source, O_RDONLY)
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while case let count = read(file, &buffer, buffer.count), count > 0 {
            try near.write(count == buffer.count ? buffer : Array(buffer[..<count]))
        }
        done.wait()
        return start.cost
    }
}
