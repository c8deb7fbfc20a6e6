import Dispatch
import Foundation
import Synchronization

/// The part of a connection that lives on its queue: it moves bytes between the streams, the send buffer and the
/// handler.
final class StreamPump: NSObject, StreamDelegate {
    /// Where a connection is in its life.
    private enum Phase {
        /// Waits for both streams to open. Next: open, ended.
        case opening
        /// Bytes go both ways. Next: flushing, ended.
        case open
        /// Closed here, or by the peer: what waits is still sent, what arrives is dropped. Next: lingering, ended.
        case flushing
        /// Everything was sent, and our half is closed: waits for the peer to close the other. Next: ended.
        ///
        /// Closing both halves at once would answer bytes still under way with a reset, and a reset makes the peer's
        /// system drop what the peer has not read yet: our last words.
        case lingering
        /// Over.
        case ended
    }

    /// How many connections of this process may linger. Whoever comes and is turned away again and again would else
    /// keep three descriptors for each time; above this, connections end without waiting for the peer.
    static let maximumLingering = 64
    private static let lingering = Atomic(0)

    /// How much one turn of the queue reads, unless one read brings more: what is to be sent meanwhile waits for no
    /// more than this to be opened, and so does the node, whose queue it is, however many small frames are in it.
    private static let maximumBytesPerTurn = 64 << 10
    private static let readByteCounts = (4 << 10)...(128 << 10)

    private let input: SocketInputStream
    private let output: SocketOutputStream
    /// Let go of at the end: whoever keeps an ended connection does not keep its descriptor open.
    private var socket: Socket?
    private let queue: DispatchQueue
    private let sendBuffer: SendBuffer
    private var handler: (@Sendable (StreamConnection.Event) -> Void)?
    private var phase = Phase.opening
    private var openedStreams = 0
    private var closesWhenOpen = false
    /// Whether the input stream announced bytes and nothing was read since: it stays silent until something is.
    private var hasUnreadBytes = false
    /// Whether the peer closed its half.
    private var peerHasEnded = false
    /// How much to ask for: twice what the last read brought. Idle connections then hold little memory, busy ones make
    /// few calls.
    private var readByteCount = readByteCounts.lowerBound
    private var deadline: (any DispatchSourceTimer)?

    init(
        socket: Socket, queue: DispatchQueue, sendBuffer: SendBuffer,
        handler: @escaping @Sendable (StreamConnection.Event) -> Void
    ) {
        input = SocketInputStream(socket, on: queue)
        output = SocketOutputStream(socket, on: queue)
        self.socket = socket
        self.queue = queue
        self.sendBuffer = sendBuffer
        self.handler = handler
    }

    func open() {
        guard phase == .opening else { return }
        input.delegate = self
        output.delegate = self
        input.open()
        output.open()
    }

    func stream(_ stream: Stream, handle event: Stream.Event) {
        switch event {
        case .openCompleted:
            openedStreams += 1
            guard openedStreams == 2, phase == .opening else { return }
            phase = .open
            handler?(.opened)
            readWaiting()
            flush()
            // Closed before it was open: what was sent by then leaves all the same.
            if closesWhenOpen { close() }
        case .hasBytesAvailable:
            hasUnreadBytes = true
            readWaiting()
        case .hasSpaceAvailable:
            flush()
        case .endEncountered:
            peerEnded()
        case .errorOccurred:
            end((stream.streamError as? TransportError) ?? .reset)
        default:
            break
        }
    }

    // MARK: Receiving

    /// Reads what has arrived, if it is wanted.
    func readWaiting() {
        var left = Self.maximumBytesPerTurn
        while hasUnreadBytes, left > 0 {
            switch phase {
            case .open: if sendBuffer.isReadingPaused { return }
            case .flushing, .lingering: break
            case .opening, .ended: return
            }
            let wanted = readByteCount
            var result = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
                guard let base = buffer.baseAddress else { return }
                result = input.read(base, maxLength: wanted)
                count = max(result, 0)
            }
            // A short read emptied the socket. The stream announces what comes next, an end or an error as events of
            // their own.
            hasUnreadBytes = result == wanted
            guard result > 0 else { return }
            left -= result
            readByteCount = min(max(2 * result, Self.readByteCounts.lowerBound), Self.readByteCounts.upperBound)
            if phase == .open { handler?(.received(bytes)) }
        }
        // Having been read from, the stream announces what is left.
        hasUnreadBytes = false
    }

    private func peerEnded() {
        peerHasEnded = true
        switch phase {
        case .opening, .open:
            // The peer may still read: what we owe it is sent, but the layer above need not wait for that.
            _ = sendBuffer.stopAccepting()
            phase = .flushing
            startDeadline()
            report(.ended(nil))
            flush()
        case .flushing:
            break
        case .lingering:
            end(nil)
        case .ended:
            break
        }
    }

    // MARK: Sending

    /// Sends what waits, as far as the socket has room.
    func flush() {
        switch phase {
        case .open, .flushing: break
        case .opening, .lingering, .ended: return
        }
        while let (chunk, offset) = sendBuffer.next() {
            let sent = chunk.withUnsafeBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return 0 }
                return output.write(base + offset, maxLength: buffer.count - offset)
            }
            // -1: the error comes as an event of its own. Less than asked: the stream calls when it has room again.
            guard sent >= 0 else { return }
            if sendBuffer.removeFirst(sent), phase == .open { handler?(.drained) }
            if sent < chunk.count - offset { return }
        }
        if phase == .flushing { finishSending() }
    }

    private func finishSending() {
        if peerHasEnded || Self.lingering.load(ordering: .relaxed) >= Self.maximumLingering {
            end(nil)
        } else {
            phase = .lingering
            Self.lingering.add(1, ordering: .relaxed)
            output.close()
            readWaiting()
        }
    }

    // MARK: Ending

    /// Sends what waits and then ends the connection.
    func close() {
        switch phase {
        case .open:
            phase = .flushing
            startDeadline()
            readWaiting()
            flush()
        case .opening:
            closesWhenOpen = true
        case .flushing, .lingering, .ended:
            break
        }
    }

    /// Drops what waits and ends the connection.
    func abort() {
        forceClose(nil)
    }

    /// Ends the connection so that the peer sees that something is missing.
    private func forceClose(_ error: TransportError?) {
        output.abandon()
        socket?.reset()
        end(error)
    }

    private func end(_ error: TransportError?) {
        guard phase != .ended else { return }
        if phase == .lingering { Self.lingering.subtract(1, ordering: .relaxed) }
        phase = .ended
        sendBuffer.discard()
        deadline?.cancel()
        deadline = nil
        input.close()
        output.close()
        socket = nil
        report(.ended(error))
    }

    /// Reports the last event, and lets go of whoever listens.
    private func report(_ last: StreamConnection.Event) {
        let handler = self.handler
        self.handler = nil
        handler?(last)
    }

    /// Sees to it that a closing connection ends. Until then the timer keeps it alive, whoever else lets go of it.
    private func startDeadline() {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { self.closeTimedOut() }
        timer.schedule(deadline: .now() + StreamConnection.closeTimeout.dispatchInterval)
        timer.activate()
        deadline = timer
    }

    private func closeTimedOut() {
        switch phase {
        case .flushing:
            forceClose(.timedOut)
        case .lingering:
            end(nil)
        case .opening, .open, .ended:
            break
        }
    }
}
