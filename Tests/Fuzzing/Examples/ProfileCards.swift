import Cryptography
import OperationLog
import OperationLogFixtures

extension Example {
    static var profileCards: [Example] {
        let record = Cast.aliceRecord.encoded
        let plain = card("Alice", record)
        let longest = [UInt8](repeating: 7, count: ProfileCard.maximumPhotoBytes)
        return [
            accepted(.profileCard, "plain", plain),
            accepted(.profileCard, "name-of-50-characters", card(String(repeating: "e\u{301}", count: 50), record)),
            accepted(.profileCard, "longest-photo", card("Alice", photo: longest, record)),
            refused(.profileCard, "truncated", "nothing", []),
            refused(.profileCard, "truncated", "without-its-last-byte", plain.dropLast()),
            refused(.profileCard, "trailing_bytes", "and-a-zero", plain + [0]),
            refused(.profileCard, "bad_signature", "forged", plain.withLastBitChanged),
            refused(.profileCard, "bad_signature", "alice-signs-for-bob", card("Bob", Cast.bobRecord.encoded)),
            refused(.profileCard, "bad_signature", "with-a-forged-record", card("Alice", record.withLastBitChanged)),
            refused(.profileCard, "invalid_value", "no-name", card("", record)),
            refused(.profileCard, "invalid_value", "name-of-spaces", card(" \u{3000}\n", record)),
            refused(.profileCard, "invalid_value", "name-that-ends-in-a-space", card("Alice ", record)),
            refused(
                .profileCard, "invalid_value", "name-of-51-characters", card(String(repeating: "a", count: 51), record)),
            refused(.profileCard, "too_long", "name-of-801-bytes", card(String(repeating: "a", count: 801), record)),
            refused(.profileCard, "too_long", "photo-of-407-bytes", card("Alice", photo: longest + [0], record)),
            refused(.profileCard, "invalid_value", "name-that-is-not-utf8", [1, 2, 0xC3, 0x28]),
            refused(
                .profileCard, "too_long", "above-the-limit", Array(repeating: 0, count: ProfileCard.maximumBytes + 1)),
        ]
    }

    /// Alice's signature under any name, photo and record.
    private static func card(_ name: String, photo: [UInt8] = [], _ record: [UInt8]) -> [UInt8] {
        let signed = wire {
            $0.write(number: 1)
            $0.write(text: name)
            $0.write(data: photo)
            $0.write(data: record)
        }
        return Decoder.resigned(card: signed + Array(repeating: 0, count: Signature.byteCount))
    }
}
