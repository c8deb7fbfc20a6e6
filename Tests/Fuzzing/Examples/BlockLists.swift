import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures

extension Example {
    static var blockLists: [Example] {
        let people = [Cast.alice.user, Cast.bob.user].sorted()
        func entry(_ user: UserID, at time: UInt64 = 1, _ flag: UInt8 = 1) -> [UInt8] {
            wire {
                $0.write(user)
                $0.write(number: time)
                $0.write(Cast.alice.device)
                $0.write(byte: flag)
            }
        }
        return [
            accepted(.blockList, "nobody", [1, 0]),
            accepted(.blockList, "one-blocked-one-taken-off", [1, 2] + entry(people[0]) + entry(people[1], 0)),
            accepted(.blockList, "latest-stamp", [1, 1] + entry(people[0], at: 1 << 48)),
            refused(.blockList, "truncated", "nothing", []),
            refused(.blockList, "truncated", "people-who-are-not-there", [1, 2] + entry(people[0])),
            refused(.blockList, "trailing_bytes", "and-a-zero", [1, 0, 0]),
            refused(.blockList, "invalid_value", "version-2", [2, 0]),
            refused(.blockList, "invalid_value", "blocked-2", [1, 1] + entry(people[0], 2)),
            refused(.blockList, "invalid_value", "stamp-too-late", [1, 1] + entry(people[0], at: (1 << 48) + 1)),
            refused(.blockList, "unsorted", "in-disorder", [1, 2] + entry(people[1]) + entry(people[0])),
            refused(.blockList, "unsorted", "the-same-person-twice", [1, 2] + entry(people[0]) + entry(people[0])),
            refused(.blockList, "too_long", "4097-people", [1, 0x81, 0x20]),
        ]
    }
}
