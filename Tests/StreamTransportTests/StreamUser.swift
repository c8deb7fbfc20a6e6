import Dispatch
import Foundation
import StreamTransport
import Synchronization

/// A user of the plain Foundation streams: asks, closes its half, and reads the answer to its end.
final class StreamUser: Sendable {
    let answer = AwaitedQueue<[UInt8]>()
    private let queue = DispatchQueue(label: "user")
    private let delegate: Delegate

    init(_ socket: Socket) {
        delegate = Delegate(socket, on: queue, answer: answer)
    }

    func ask(_ question: [UInt8]) {
        queue.async { [delegate] in delegate.start(question) }
    }

    /// Unchecked: after `init` it is touched on its serial queue only.
    private final class Delegate: NSObject, StreamDelegate, @unchecked Sendable {
        private let input: InputStream
        private let output: OutputStream
        private let answer: AwaitedQueue<[UInt8]>
        private var question: [UInt8] = []
        private var asked = 0
        private var received: [UInt8] = []

        init(_ socket: Socket, on queue: DispatchQueue, answer: AwaitedQueue<[UInt8]>) {
            input = SocketInputStream(socket, on: queue)
            output = SocketOutputStream(socket, on: queue)
            self.answer = answer
        }

        func start(_ question: [UInt8]) {
            self.question = question
            input.delegate = self
            output.delegate = self
            input.open()
            output.open()
        }

        func stream(_ stream: Stream, handle event: Stream.Event) {
            switch event {
            case .hasSpaceAvailable:
                // One write an event: the stream has to call again by itself.
                asked += question[asked...].withUnsafeBufferPointer { buffer in
                    buffer.baseAddress.map { output.write($0, maxLength: buffer.count) } ?? 0
                }
                if asked == question.count { output.close() }
            case .hasBytesAvailable:
                // One small read an event, for the same reason.
                var buffer = [UInt8](repeating: 0, count: 10_000)
                let count = input.read(&buffer, maxLength: buffer.count)
                if count > 0 { received += buffer[..<count] }
            case .endEncountered:
                input.close()
                answer.post(received)
            default:
                break
            }
        }
    }
}

/// A connection that sends back what it receives.
final class EchoLine: Sendable {
    let ended = AwaitedQueue<TransportError?>()
    private let connection = Mutex<StreamConnection?>(nil)

    init(_ socket: Socket) {
        connection.withLock { connection in
            connection = StreamConnection(socket: socket, queue: DispatchQueue(label: "echo")) { [weak self] in
                self?.handle($0)
            }
        }
    }

    private func handle(_ event: StreamConnection.Event) {
        switch event {
        case .received(let bytes): try? connection.withLock { $0 }?.send(bytes)
        case .ended(let error): ended.post(error)
        case .opened, .drained: break
        }
    }
}
