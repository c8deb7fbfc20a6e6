import Glibc
import LocalAPIModel
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A client of the running node on this host, over its Unix socket.
///
/// Connections are kept for the next request; several tasks may ask at once, each on a connection of its own.
public final class LocalClient: Sendable {
    /// The longest path a Unix socket can have on Linux: `sun_path` without its terminating zero.
    package static let maximumSocketPathBytes = 107
    /// The largest answer read into memory.
    static let maximumResponseBytes = 64 << 20

    /// Where the node listens, unless it says that it listens elsewhere.
    public let socketPath: String
    private let isOwn: @Sendable (String) -> Bool
    private let owner: uid_t?
    private let elsewhere: @Sendable () -> String?
    private let idle = Mutex<[any Channel]>([])

    /// Describes a client; nothing is opened before the first request.
    ///
    /// - Parameters:
    ///   - isOwn: whether the socket that is at the first path is the node's, and not one that another user has put
    ///     there.
    ///   - owner: as whom the node runs. A path may lead to another socket a moment after it was looked at; who listens
    ///     there the kernel says. Nil for anybody.
    ///   - elsewhere: finds another path where the node may listen, if it does not answer at the first one.
    public init(
        socketPath: String, owner: uid_t? = nil, isOwn: @escaping @Sendable (String) -> Bool = { _ in true },
        elsewhere: @escaping @Sendable () -> String? = { nil }
    ) {
        self.socketPath = socketPath
        self.isOwn = isOwn
        self.owner = owner
        self.elsewhere = elsewhere
    }

    deinit {
        for channel in idle.withLock({ $0 }) { channel.close(promise: nil) }
    }

    /// Asks, and reads the answer's JSON.
    func ask<Value: Decodable>(
        _ request: LocalRequest, for type: Value.Type = Value.self
    ) async throws(LocalClientError) -> Value {
        let (status, body) = try await exchange(request)
        return try Self.read(type, from: body, status: status)
    }

    /// Asks, and returns the status and the bytes of the answer, whatever they are.
    func exchange(_ request: LocalRequest) async throws(LocalClientError) -> (status: Int, body: [UInt8]) {
        let channel = try await connection()
        let promise = channel.eventLoop.makePromise(of: NIOHTTPClientResponseFull.self)
        let response: NIOHTTPClientResponseFull
        do {
            channel.writeAndFlush(Exchange(request: request, answer: promise)).cascadeFailure(to: promise)
            response = try await promise.futureResult.get()
        } catch is NIOHTTPObjectAggregatorError {
            throw .unreadable("it is larger than \(Self.maximumResponseBytes) bytes")
        } catch {
            throw .connectionLost
        }
        if response.head.isKeepAlive {
            idle.withLock { $0.append(channel) }
        } else {
            channel.close(promise: nil)
        }
        return (Int(response.head.status.code), response.body.map { Array($0.readableBytesView) } ?? [])
    }

    static func read<Value: Decodable>(
        _ type: Value.Type, from body: [UInt8], status: Int
    ) throws(LocalClientError) -> Value {
        do {
            guard (200...299).contains(status) else {
                throw LocalClientError.refused(try WireFormat.decode(ErrorDescription.self, from: body).error)
            }
            return try WireFormat.decode(type, from: body)
        } catch let error as LocalClientError {
            throw error
        } catch {
            throw .unreadable("status \(status)")
        }
    }

    private func connection() async throws(LocalClientError) -> any Channel {
        while let channel = idle.withLock({ $0.popLast() }) {
            if channel.isActive { return channel }
        }
        return try await connect { channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHTTPClientHandlers()
                try pipeline.addHandler(NIOHTTPClientResponseAggregator(maxContentLength: Self.maximumResponseBytes))
                try pipeline.addHandler(ExchangeHandler())
                return channel
            }
        }
    }

    /// Whether somebody accepts connections at the path.
    package func isAnswered() async -> Bool {
        do throws(LocalClientError) {
            let channel: any Channel = try await connect { $0.eventLoop.makeSucceededFuture($0) }
            channel.close(promise: nil)
            return true
        } catch {
            return false
        }
    }

    /// Opens a connection and sets it up.
    func connect<Output: Sendable>(
        _ setUp: @escaping @Sendable (any Channel) -> EventLoopFuture<Output>
    ) async throws(LocalClientError) -> Output {
        do throws(LocalClientError) {
            guard access(socketPath, F_OK) != 0 || isOwn(socketPath) else {
                throw .foreign(socketPath: socketPath)
            }
            return try await connect(to: socketPath, setUp)
        } catch {
            guard let other = elsewhere(), other != socketPath else { throw error }
            do throws(LocalClientError) {
                return try await connect(to: other, setUp)
            } catch let second {
                // Where nobody listens either, the usual place is the one to tell of.
                if case .notRunning = second { throw error }
                throw second
            }
        }
    }

    private func connect<Output: Sendable>(
        to socketPath: String, _ setUp: @escaping @Sendable (any Channel) -> EventLoopFuture<Output>
    ) async throws(LocalClientError) -> Output {
        do {
            let (channel, output) = try await Self.retrying {
                try await ClientBootstrap(group: LocalEventLoop.group)
                    .connect(unixDomainSocketPath: socketPath) { channel in
                        setUp(channel).map { (channel, $0) }
                    }
            }
            if let owner, try await Self.listener(at: channel) != owner {
                channel.close(promise: nil)
                throw LocalClientError.foreign(socketPath: socketPath)
            }
            return output
        } catch let error as LocalClientError {
            throw error
        } catch SocketAddressError.unixDomainSocketPathTooLong {
            throw .pathTooLong(socketPath: socketPath)
        } catch let error as IOError where error.errnoCode == EACCES || error.errnoCode == EPERM {
            throw .permissionDenied(socketPath: socketPath)
        } catch {
            throw .notRunning(socketPath: socketPath)
        }
    }

    /// What the kernel says of the process at the other end, as unix(7) describes it.
    private struct Credentials {
        let process: pid_t
        let user: uid_t
        let group: gid_t
    }

    private static func listener(at channel: any Channel) async throws -> uid_t? {
        guard let socket = channel as? any SocketOptionProvider else { return nil }
        let credentials: Credentials = try await socket.unsafeGetSocketOption(
            level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED)
        ).get()
        return credentials.user
    }

    /// Tries again, for two seconds at most, while the queue of the socket is full: the node is there and has much to
    /// do.
    private static func retrying<Output>(_ connect: () async throws -> Output) async throws -> Output {
        for _ in 0..<100 {
            do {
                return try await connect()
            } catch let error as IOError where error.errnoCode == EAGAIN {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        return try await connect()
    }
}
