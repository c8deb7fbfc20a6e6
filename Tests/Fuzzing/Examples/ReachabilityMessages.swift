import OperationLog
import Replication
import Time

extension Example {
    /// What nodes tell each other of reaching one another.
    static var reachabilityMessages: [Example] {
        // Up to the address where somebody was dialed.
        let told: [UInt8] =
            [37, 1, 0] + wire { $0.write(number: UInt64(Timestamp.earliest.milliseconds)) } + [0]
        return [
            accepted(.peerMessage, "reachability-wanted", PeerMessage.reachabilityWanted(300).encoded),
            accepted(.peerMessage, "reachability", PeerMessage.reachability(300, report(.failed("timed_out"))).encoded),
            accepted(.peerMessage, "reachability-of-nothing", told + [0, 0, 0, 0, 0]),
            refused(.peerMessage, "too_long", "program-of-65-bytes", [37, 1, 65]),
            refused(.peerMessage, "invalid_value", "clock-of-1970", [37, 1, 0, 1]),
            refused(.peerMessage, "invalid_value", "dial-back-3", told + [3]),
            refused(.peerMessage, "too_long", "error-code-of-33-bytes", told + [2, 33]),
            refused(
                .peerMessage, "too_long", "beacon-of-35-years-ago",
                told + [0, 1, 1, 0x81, 0x80, 0x80, 0x80, 0x80, 0x20]),
            refused(.peerMessage, "too_long", "17-failed-dials", told + [0, 0, 0, 0, 17]),
            refused(.peerMessage, "truncated", "16-failed-dials-that-are-not-there", told + [0, 0, 0, 0, 16]),
        ]
    }

    private static func report(_ dialBack: ReachabilityReport.DialBack) -> ReachabilityReport {
        ReachabilityReport(
            program: "1.2.3", clock: .earliest, address: "10.0.0.7:47470", dialBack: dialBack, sendsBeacons: true,
            ownBeaconAge: .seconds(3), beacon: .init(address: "10.0.0.7:47470", age: .seconds(70)),
            failedDials: [.init(address: "[fe80::1%eth0]:47470", code: "unreachable")])
    }
}
