import Cryptography
import OperationLog
import OperationLogFixtures

extension Example {
    static var profileCards: [Example] {
        let record = Cast.aliceRecord.encoded
        let plain = card("Alice", record)
        let deletion = ProfileCard.deletionVersion
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
            accepted(.profileCard, "no-name", card("", record)),
            accepted(.profileCard, "name-of-spaces", card(" \u{3000}\n", record)),
            accepted(.profileCard, "name-that-ends-in-a-space", card("Alice ", record)),
            accepted(.profileCard, "name-of-51-characters", card(String(repeating: "a", count: 51), record)),
            accepted(.profileCard, "name-of-801-bytes", card(String(repeating: "a", count: 801), record)),
            accepted(.profileCard, "name-that-overrides-the-direction", card("\u{202E}ecilA", record)),
            refused(.profileCard, "too_long", "name-of-2001-bytes", card(String(repeating: "a", count: 2_001), record)),
            refused(.profileCard, "too_long", "photo-of-407-bytes", card("Alice", photo: longest + [0], record)),
            refused(.profileCard, "invalid_value", "name-that-is-not-utf8", [1, 2, 0xC3, 0x28]),
            accepted(.profileCard, "deletion", card(version: deletion, "", record)),
            accepted(
                .profileCard, "deletion-with-a-name-and-a-photo",
                card(version: deletion, "Alice", photo: Array(longest.prefix(100)), record)),
            refused(
                .profileCard, "bad_signature", "forged-deletion", card(version: deletion, "", record).withLastBitChanged
            ),
            refused(
                .profileCard, "too_long", "deletion-with-a-photo-of-407-bytes",
                card(version: deletion, "", photo: longest + [0], record)),
            refused(
                .profileCard, "too_long", "above-the-limit", Array(repeating: 0, count: ProfileCard.maximumBytes + 1)),
        ]
    }

    /// Alice's signature under any version, name, photo and record.
    private static func card(
        version: UInt64 = 1, _ name: String, photo: [UInt8] = [], _ record: [UInt8]
    ) -> [UInt8] {
        let signed = wire {
            $0.write(number: version)
            $0.write(text: name)
            $0.write(data: photo)
            $0.write(data: record)
        }
        return Decoder.resigned(card: signed + Array(repeating: 0, count: Signature.byteCount))
    }
}
