import OperationLogFixtures
import StreamTransport

extension Example {
    static var contactCodes: [Example] {
        let codes = [["192.0.2.7:47470"], ["10.0.0.7:1", "[fd00::7]:47470"]].compactMap { places in
            ContactCode(
                user: Cast.alice.user, device: Cast.alice.device, addresses: places.compactMap { SocketAddress($0) })
        }
        let texts = codes.map { Array($0.description.utf8) }
        return texts.enumerated().map { accepted(.contactCode, "\($0.offset + 1)-places", $0.element) }
            + texts.prefix(1).flatMap { text in
                [
                    refused(.contactCode, "other_kind", "nothing", []),
                    refused(.contactCode, "not_utf8", "latin-1", text.prefix(13) + [0xE9]),
                    refused(.contactCode, "bad_character", "lower-case", text.dropLast() + [UInt8(ascii: "a")]),
                    refused(.contactCode, "bad_checksum", "one-letter-more", text + [UInt8(ascii: "A")]),
                    refused(.contactCode, "bad_checksum", "empty", Array(text.prefix(13))),
                    refused(.contactCode, "bad_character", "cut-by-five-bytes", text.dropLast(8)),
                    refused(
                        .contactCode, "too_long", "401-characters",
                        text.prefix(13) + Array(repeating: UInt8(ascii: "A"), count: 388)),
                ]
            }
    }
}
