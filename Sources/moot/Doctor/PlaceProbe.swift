import Diagnosis
import Dispatch
import StreamTransport

/// Dials places to see whether somebody accepts, and hangs up at once.
enum PlaceProbe {
    /// How long somebody may take to accept.
    private static let deadline = Duration.seconds(1)
    /// How long a name server may take.
    private static let nameDeadline = Duration.seconds(2)

    /// Dials addresses, all at a time.
    static func dial(_ addresses: [SocketAddress]) async -> [(SocketAddress, Result<Void, TransportError>)] {
        await withTaskGroup { group in
            for address in addresses { group.addTask { (address, await dial(address)) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Dials one address.
    private static func dial(_ address: SocketAddress) async -> Result<Void, TransportError> {
        await withCheckedContinuation { continuation in
            StreamDialer.dial(address, deadline: deadline, on: DispatchQueue(label: "moot.doctor")) { result in
                continuation.resume(returning: result.map { _ in })
            }
        }
    }

    private static func resolve(_ place: HostAndPort) async -> Result<[SocketAddress], TransportError> {
        await withCheckedContinuation { continuation in
            NameResolver.resolve(place, on: DispatchQueue(label: "moot.doctor")) { continuation.resume(returning: $0) }
        }
    }

    /// Looks a place up and dials it.
    static func dial(_ place: String) async -> (address: SocketAddress?, outcome: NodeObservation.Place.Probe) {
        guard let named = try? HostAndPort(place) else { return (nil, .failed) }
        let found = await Deadline.answer(within: nameDeadline) { await resolve(named) }
        guard case .success(let addresses)? = found, let address = addresses.first else { return (nil, .noName) }
        switch await dial(address) {
        case .success: return (address, .accepted)
        case .failure(.refused): return (address, .refused)
        case .failure(.unreachable): return (address, .unreachable)
        case .failure(.timedOut): return (address, .timedOut)
        case .failure: return (address, .failed)
        }
    }
}
