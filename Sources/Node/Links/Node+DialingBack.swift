import Dispatch
import NodeCore
import OperationLog
import StreamTransport

extension Node {
    /// How long somebody who is dialed back may take to accept.
    private static let dialBackDeadline = Duration.seconds(2)

    /// Dials the place of a device once, to see whether anybody accepts, and hangs up.
    func dialBack(_ device: DeviceID, at place: Endpoint) {
        guard let address = SocketAddress("\(place)") else {
            // The core is in the middle of what it asked for.
            return executor.queue.async { [weak self] in
                self?.assumeIsolated { $0.dialedBack(device, failure: "malformed_address") }
            }
        }
        StreamDialer.dial(address, deadline: Self.dialBackDeadline, on: executor.queue) { [weak self] result in
            self?.assumeIsolated { node in
                switch result {
                case .success: node.dialedBack(device, failure: nil)
                case .failure(let error): node.dialedBack(device, failure: error.code)
                }
            }
        }
    }

    private func dialedBack(_ device: DeviceID, failure: String?) {
        change { $0.handle(.dialedBack(device, failure: failure), at: $1) }
    }
}
