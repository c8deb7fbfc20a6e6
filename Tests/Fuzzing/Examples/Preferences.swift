import Conversations
import Cryptography
import OperationLog

extension Example {
    static var preferences: [Example] {
        let device = OperationID(digest: .hash("moot/1/test", [1]))
        /// A register of one write.
        func written(at time: UInt64, _ value: [UInt8]) -> [UInt8] {
            wire {
                $0.write(byte: 1)
                $0.write(number: time)
                $0.write(device)
                $0.write(raw: value)
            }
        }
        let pinned = [1] + written(at: 1_800_000_000_000, [1])
        func muted(_ value: [UInt8]) -> [UInt8] { [1, 0, 0] + written(at: 1, value) + [0, 0] }
        func tagged(_ tags: [String]) -> [UInt8] {
            [1, 0, 0, 0, 0, UInt8(tags.count)]
                + tags.flatMap { tag in wire { $0.write(text: tag) } + written(at: 1, [1]) }
        }
        let end = wire { $0.write(number: 1_800_000_000_000) }
        return [
            accepted(.preferences, "nothing-said", [1, 0, 0, 0, 0, 0]),
            accepted(.preferences, "pinned", pinned + [0, 0, 0, 0]),
            accepted(.preferences, "archived", [1, 0] + written(at: 1, [1]) + [0, 0, 0]),
            accepted(.preferences, "muted-forever", muted([1, 0])),
            accepted(.preferences, "muted-for-a-while-but-for-mentions", muted([2] + end)),
            accepted(.preferences, "draft", [1, 0, 0, 0] + written(at: 1, [4] + Array("Ahoy".utf8)) + [0]),
            accepted(.preferences, "tags", tagged(["sea", "work"])),
            accepted(.preferences, "latest-stamp", [1] + written(at: 1 << 48, [1]) + [0, 0, 0, 0]),
            refused(.preferences, "truncated", "nothing", []),
            refused(.preferences, "truncated", "pinned-cut-short", pinned),
            refused(.preferences, "trailing_bytes", "and-a-zero", pinned + [0, 0, 0, 0, 0]),
            accepted(.preferences, "receipts-off", [2, 0, 0, 0, 0] + written(at: 1, [0]) + [0]),
            refused(.preferences, "invalid_value", "nothing-said-of-receipts", [2, 0, 0, 0, 0, 0, 0]),
            accepted(.preferences, "asks-when-added", [3, 0, 0, 0, 0, 0] + written(at: 1, [1]) + [0, 0]),
            accepted(
                .preferences, "consents-and-receipts-off",
                [3, 0, 0, 0, 0] + written(at: 1, [0]) + [0] + written(at: 1, device.digest.bytes) + [0]),
            refused(.preferences, "invalid_value", "nothing-said-of-consent", [3, 0, 0, 0, 0, 0, 0, 0, 0]),
            refused(.preferences, "invalid_value", "version-4", [4, 0, 0, 0, 0, 0]),
            refused(.preferences, "invalid_value", "register-2", [1, 2, 0, 0, 0, 0]),
            refused(.preferences, "invalid_value", "pinned-2", [1] + written(at: 1, [2]) + [0, 0, 0, 0]),
            refused(
                .preferences, "invalid_value", "stamp-too-late", [1] + written(at: (1 << 48) + 1, [1]) + [0, 0, 0, 0]),
            refused(.preferences, "invalid_value", "muted-until-1970", muted([1, 1])),
            refused(.preferences, "invalid_value", "muted-3", muted([3, 0])),
            refused(.preferences, "invalid_value", "tag-of-spaces", tagged([" "])),
            refused(.preferences, "invalid_value", "tag-never-written", [1, 0, 0, 0, 0, 1, 1, 0x61, 0]),
            refused(.preferences, "unsorted", "tags-in-disorder", tagged(["work", "sea"])),
            refused(.preferences, "unsorted", "the-same-tag-twice", tagged(["sea", "sea"])),
            refused(.preferences, "too_long", "65-tags", [1, 0, 0, 0, 0, 65]),
            refused(
                .preferences, "too_long", "draft-above-the-limit",
                [1, 0, 0, 0] + written(at: 1, [0x81, 0x80, 1])),
        ]
    }
}
