import Cryptography
import OperationLog
import OperationLogFixtures

extension Example {
    static var identityRecords: [Example] {
        let plain = Cast.aliceRecord.encoded
        let two = IdentityRecord(
            root: Cast.alice.root, serial: IdentityRecord.maximumSerial,
            devices: [
                .init(device: Cast.alice.author.device, name: ""),
                .init(device: Device(user: Cast.alice.user, key: Cast.bob.root.verifyingKey), name: "\u{1F4F1}"),
            ])
        let entries = two.devices.map { entry in
            wire {
                $0.write(raw: entry.device.key.bytes)
                $0.write(text: entry.name)
            }
        }
        return [
            accepted(.identityRecord, "one-device", plain),
            accepted(.identityRecord, "two-devices", two.encoded),
            refused(.identityRecord, "truncated", "nothing", []),
            refused(.identityRecord, "truncated", "without-its-last-byte", plain.dropLast()),
            refused(.identityRecord, "trailing_bytes", "and-a-zero", plain + [0]),
            refused(.identityRecord, "bad_signature", "forged", plain.withLastBitChanged),
            refused(
                .identityRecord, "bad_signature", "of-another-user",
                plain.replacing(0..<32, with: Cast.bob.user.digest.bytes)),
            refused(.identityRecord, "invalid_value", "no-devices", record([0])),
            refused(
                .identityRecord, "invalid_value", "serial-of-the-year-2101",
                record([1] + Cast.alice.author.device.key.bytes + [0], serial: IdentityRecord.maximumSerial + 1)),
            refused(.identityRecord, "too_long", "nine-devices", record([9])),
            refused(.identityRecord, "truncated", "eight-devices-that-are-not-there", record([8])),
            refused(.identityRecord, "unsorted", "devices-in-disorder", record([2] + entries[1] + entries[0])),
            refused(.identityRecord, "unsorted", "the-same-device-twice", record([2] + entries[0] + entries[0])),
            refused(
                .identityRecord, "too_long", "name-of-201-bytes",
                record([1] + Cast.alice.author.device.key.bytes + [0xC9, 1] + Array(repeating: 0x61, count: 201))),
            refused(
                .identityRecord, "invalid_value", "name-that-is-not-utf8",
                record([1] + Cast.alice.author.device.key.bytes + [1, 0xFF])),
            refused(
                .identityRecord, "too_long", "above-the-limit",
                Array(repeating: 0, count: IdentityRecord.maximumBytes + 1)
            ),
        ]
    }

    /// Alice's signature under anything about their devices.
    private static func record(_ devices: [UInt8], serial: UInt64 = 1) -> [UInt8] {
        let signed = Cast.alice.user.digest.bytes + wire { $0.write(number: serial) } + devices
        return Decoder.resigned(record: signed + Array(repeating: 0, count: Signature.byteCount)) ?? []
    }
}
