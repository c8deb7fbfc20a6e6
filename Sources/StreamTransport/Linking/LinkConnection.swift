import Cryptography
import Dispatch
import OperationLog
import Replication

/// A connection on which a host becomes a device of a user.
///
/// Its handler is called on its queue, ``Event/ended(_:)`` last and once. A connection that is let go without
/// ``close()`` breaks off.
public final class LinkConnection: Sendable {
    /// What happens on a connection.
    public enum Event: Sendable {
        /// The two hosts said something to each other.
        case link(LinkChannel.Event)
        /// Nothing more comes; nil where both had what they needed.
        case ended(LinkError?)
    }

    private let pump: QueueConfined<LinkPump>
    private let stream: StreamConnection

    /// Begins to speak on a connection that was dialed or accepted.
    ///
    /// - Parameter queue: A serial queue, on which the handler is called.
    public init(
        on socket: Socket, queue: DispatchQueue, channel: consuming LinkChannel,
        handler: @escaping @Sendable (Event) -> Void
    ) {
        let pump = QueueConfined(LinkPump(channel, handler: handler), on: queue)
        self.pump = pump
        stream = StreamConnection(socket: socket, queue: queue, maximumSendBytes: 64 << 10) { pump.value.handle($0) }
        let stream = stream
        pump.later { $0.begin(on: stream) }
    }

    /// The user of the new host agrees.
    public func consent(with wrap: WrapRecord) {
        pump.later { $0.say { channel throws(LinkError) in try channel.consent(with: wrap) } }
    }

    /// The host is a device now.
    public func welcome(with introduction: Introduction) {
        pump.later { $0.say { channel throws(LinkError) in try channel.welcome(with: introduction) } }
    }

    /// The new host has stored what it was given.
    public func confirm() {
        pump.later { $0.say(.enough) { channel throws(LinkError) in try channel.confirm() } }
    }

    /// The host, which has stored what it was welcomed with, is to hold the root as well.
    public func entrust(with seed: SecretBytes) {
        pump.later { $0.say { channel throws(LinkError) in try channel.entrust(with: seed) } }
    }

    /// The user of this host says no. Then the connection ends.
    public func refuse() {
        pump.later { $0.say(.last) { channel throws(LinkError) in try channel.refuse() } }
    }

    /// Ends the connection once all is sent that was said before.
    public func close() {
        let stream = stream
        // What was said before has its turn on the queue first: a stream that is closed takes nothing more.
        pump.later { _ in stream.close() }
    }
}

/// The part of a connection that lives on its queue.
private final class LinkPump {
    private var channel: LinkChannel
    private var handler: ((LinkConnection.Event) -> Void)?
    private weak var stream: StreamConnection?
    /// Whether the connection may end without a fault.
    private var hasEnough = false

    /// What comes after a message.
    enum Outlook {
        /// More, without which both have nothing.
        case more
        /// Perhaps more.
        case enough
        /// Nothing: the connection ends.
        case last
    }

    init(_ channel: consuming LinkChannel, handler: @escaping @Sendable (LinkConnection.Event) -> Void) {
        self.channel = channel
        self.handler = handler
    }

    func begin(on stream: StreamConnection) {
        self.stream = stream
        say { channel throws(LinkError) in try channel.start() }
    }

    func handle(_ event: StreamConnection.Event) {
        switch event {
        case .opened, .drained: break
        case .received(let bytes):
            do throws(LinkError) {
                let (reply, events) = try channel.receive(bytes)
                send(reply)
                for event in events {
                    if event == .stored { hasEnough = true }
                    handler?(.link(event))
                }
            } catch {
                fail(error)
            }
        case .ended: end(hasEnough ? nil : .ended)
        }
    }

    func say(_ outlook: Outlook = .more, _ message: (inout LinkChannel) throws(LinkError) -> [UInt8]) {
        guard handler != nil else { return }
        do throws(LinkError) {
            send(try message(&channel))
            if outlook != .more { hasEnough = true }
            if outlook == .last { stream?.close() }
        } catch {
            fail(error)
        }
    }

    private func send(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        // A connection that takes no more is over, and says so.
        try? stream?.send(bytes)
    }

    private func fail(_ error: LinkError) {
        stream?.abort()
        end(error)
    }

    private func end(_ error: LinkError?) {
        let handler = handler
        self.handler = nil
        handler?(.ended(error))
    }
}
