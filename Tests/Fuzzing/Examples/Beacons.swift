import OperationLogFixtures
import Replication

extension Example {
    static var beacons: [Example] {
        let plain = Beacon(device: Cast.alice.device, instance: 0x0102_0304_0506_0708, port: 47_470).encoded
        return [
            accepted(.beacon, "plain", plain),
            refused(.beacon, "truncated", "nothing", []),
            refused(.beacon, "truncated", "without-its-last-byte", plain.dropLast()),
            refused(.beacon, "trailing_bytes", "and-a-zero", plain + [0]),
            refused(.beacon, "invalid_value", "other-magic", plain.replacing(0..<1, with: [0])),
            refused(.beacon, "invalid_value", "version-2", plain.replacing(4..<5, with: [2])),
            refused(.beacon, "invalid_value", "port-0", plain.dropLast(2) + [0, 0]),
            refused(.beacon, "too_long", "129-bytes", Array(repeating: 0x4D, count: 129)),
        ]
    }
}
