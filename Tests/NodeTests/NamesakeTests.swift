import Testing

@testable import Node

@Suite("What tells people of one name apart")
struct NamesakeTests {
    @Test(
        arguments: [
            (-5, "0 minutes"), (59_999, "0 minutes"), (60_000, "1 minute"), (59 * 60_000, "59 minutes"),
            (3_600_000, "1 hour"), (47 * 3_600_000, "47 hours"), (48 * 3_600_000, "2 days"),
            (.max, "106751991167 days"),
        ] as [(Int64, String)])
    func `says for how long somebody has been away`(milliseconds: Int64, expected: String) {
        #expect(Node.age(milliseconds) == expected)
    }
}
