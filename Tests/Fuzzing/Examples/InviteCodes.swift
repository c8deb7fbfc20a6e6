import Cryptography
import OperationLog
import OperationLogFixtures
import StreamTransport

extension Example {
    static var inviteCodes: [Example] {
        let codes = [["192.0.2.7:47470"], ["10.0.0.7:1", "[fd00::7]:47470"]].compactMap { places in
            InviteCode(
                conversation: Cast.conversation, invite: Cast.creation.id,
                seed: Array(repeating: 7, count: SigningKey.seedByteCount), end: Cast.time,
                device: Cast.alice.device, addresses: places.compactMap { SocketAddress($0) })
        }
        let texts = codes.map { Array($0.description.utf8) }
        return texts.enumerated().map { accepted(.inviteCode, "\($0.offset + 1)-places", $0.element) }
            + texts.prefix(1).flatMap { text in
                [
                    refused(.inviteCode, "other_kind", "nothing", []),
                    refused(.inviteCode, "not_utf8", "latin-1", text.prefix(12) + [0xE9]),
                    refused(.inviteCode, "bad_character", "lower-case", text.dropLast() + [UInt8(ascii: "a")]),
                    refused(.inviteCode, "bad_checksum", "empty", Array(text.prefix(12))),
                    refused(
                        .inviteCode, "too_long", "401-characters",
                        text.prefix(12) + Array(repeating: UInt8(ascii: "A"), count: 389)),
                ]
            }
    }
}
