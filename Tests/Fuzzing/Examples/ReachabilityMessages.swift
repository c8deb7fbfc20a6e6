import OperationLog
import Replication
import Time

extension Example {
    /// What nodes tell each other of reaching one another.
    static var reachabilityMessages: [Example] {
        // Up to the address where somebody was dialed, and with it.
        let untold: [UInt8] = [37, 1, 0] + wire { $0.write(number: UInt64(Timestamp.earliest.milliseconds)) }
        let told = untold + wire { $0.write(text: "h:0") }
        let places = [
            ("empty", ""), ("without-a-port", "10.0.0.7"), ("without-a-host", ":47470"),
            ("port-65536", "10.0.0.7:65536"),
            ("of-two-lines", "10.0.0.7:47470\nreboot"), ("of-a-shell", "$(reboot):47470"), ("option", "--name:1"),
            ("ipv6-without-brackets", "fe80::1:47470"), ("no-ipv6", "[fe80::1::2]:47470"),
            ("interface-of-a-shell", "[fe80::1%$x]:47470"),
        ]
        return [
            accepted(.peerMessage, "reachability-wanted", PeerMessage.presence(.reachabilityWanted(300)).encoded),
            accepted(
                .peerMessage, "reachability",
                PeerMessage.presence(.reachability(300, report(.failed("timed_out")))).encoded),
            accepted(.peerMessage, "reachability-of-nothing", told + [0, 0, 0, 0, 0]),
            refused(.peerMessage, "too_long", "program-of-65-bytes", [37, 1, 65]),
            refused(
                .peerMessage, "invalid_value", "program-of-a-shell", [37, 1] + wire { $0.write(text: "1;reboot") }),
            refused(.peerMessage, "invalid_value", "clock-of-1970", [37, 1, 0, 1]),
            refused(.peerMessage, "invalid_value", "dial-back-3", told + [3]),
            refused(.peerMessage, "too_long", "error-code-of-33-bytes", told + [2, 33]),
            refused(
                .peerMessage, "invalid_value", "error-code-of-two-lines",
                told + [2] + wire { $0.write(text: "timed_out\nreboot") }),
            refused(
                .peerMessage, "invalid_value", "beacon-at-a-shell",
                told + [0, 1, 0, 1] + wire { $0.write(text: "`reboot`:1") } + [0]),
            refused(
                .peerMessage, "invalid_value", "failed-dial-at-a-shell",
                told + [0, 1, 0, 0, 1] + wire { $0.write(text: "a b:1") } + [0]),
            refused(
                .peerMessage, "too_long", "beacon-of-35-years-ago",
                told + [0, 1, 1, 0x81, 0x80, 0x80, 0x80, 0x80, 0x20]),
            refused(.peerMessage, "too_long", "17-failed-dials", told + [0, 0, 0, 0, 17]),
            refused(.peerMessage, "truncated", "16-failed-dials-that-are-not-there", told + [0, 0, 0, 0, 16]),
        ]
            + places.map { name, place in
                refused(
                    .peerMessage, "invalid_value", "dialed-place-\(name)",
                    untold + wire { $0.write(text: place) } + [0, 0, 0, 0, 0])
            }
    }

    private static func report(_ dialBack: ReachabilityReport.DialBack) -> ReachabilityReport {
        ReachabilityReport(
            program: "1.2.3", clock: .earliest, address: "10.0.0.7:47470", dialBack: dialBack, sendsBeacons: true,
            ownBeaconAge: .seconds(3), beacon: .init(address: "10.0.0.7:47470", age: .seconds(70)),
            failedDials: [.init(address: "[fe80::1%eth0]:47470", code: "unreachable")])
    }
}
