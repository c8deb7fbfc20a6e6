import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures

extension Example {
    static var introductions: [Example] {
        guard
            let card = ProfileCard(
                root: Cast.alice.root, version: 3, name: "Alice", photo: [], identity: Cast.aliceRecord)
        else {
            return []
        }
        let plain = Introduction(card: card, wraps: Cast.aliceCredentials.wraps).encoded
        let weak = WrapRecord(by: Cast.alice.author, counter: 9, key: Array(repeating: 0, count: 32))
        return [
            accepted(.introduction, "plain", plain),
            accepted(.introduction, "without-keys", Introduction(card: card, wraps: []).encoded),
            refused(.introduction, "truncated", "nothing", []),
            refused(.introduction, "truncated", "without-its-last-byte", plain.dropLast()),
            refused(.introduction, "trailing_bytes", "and-a-zero", plain + [0]),
            refused(.introduction, "bad_signature", "forged", plain.withLastBitChanged),
            refused(
                .introduction, "invalid_value", "key-of-another", introduction(card, [Cast.bobCredentials.wraps[0]])),
            refused(.introduction, "invalid_value", "key-of-small-order", introduction(card, [weak])),
            refused(
                .introduction, "too_long", "more-keys-than-devices",
                introduction(card, Array(repeating: Cast.aliceCredentials.wraps[0], count: 2))),
        ]
    }

    private static func introduction(_ card: ProfileCard, _ wraps: [WrapRecord]) -> [UInt8] {
        wire {
            $0.write(data: card.encoded)
            $0.write(count: wraps.count)
            for record in wraps { $0.write(data: record.encoded) }
        }
    }

    static var epochBodies: [Example] {
        let view = ViewID(digest: .hash("moot/1/example"))
        let wraps = (0..<3).map { [UInt8](repeating: $0, count: EpochBody.wrapByteCount) }
        let plain = EpochBody(view: view, commitment: view.digest, wraps: wraps).encoded
        let wrap = WrapBody(device: Cast.bob.device, wrapKey: [UInt8](repeating: 9, count: 32), wrap: wraps[1]).encoded
        return [
            accepted(.epochBody, "plain", plain),
            accepted(.epochBody, "for-nobody", EpochBody(view: view, commitment: view.digest, wraps: []).encoded),
            refused(.epochBody, "truncated", "nothing", []),
            refused(.epochBody, "truncated", "without-its-last-byte", plain.dropLast()),
            refused(.epochBody, "trailing_bytes", "and-a-zero", plain + [0]),
            refused(.epochBody, "too_long", "513-wraps", Array(plain.prefix(64)) + [0x81, 4]),
            refused(.epochBody, "truncated", "512-wraps-that-are-not-there", Array(plain.prefix(64)) + [0x80, 4]),
            accepted(.wrapBody, "plain", wrap),
            refused(.wrapBody, "truncated", "nothing", []),
            refused(.wrapBody, "truncated", "without-its-last-byte", wrap.dropLast()),
            refused(.wrapBody, "trailing_bytes", "and-a-zero", wrap + [0]),
        ]
    }
}
