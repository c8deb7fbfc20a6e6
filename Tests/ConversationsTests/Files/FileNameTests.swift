import Conversations
import Testing

@Suite("Names of files")
struct FileNameTests {
    @Test(arguments: [
        ("a.txt", "a.txt"), ("Ship's log (2).pdf", "Ship's log (2).pdf"), ("../../etc/passwd", "_._.._etc_passwd"),
        ("/etc/passwd", "_etc_passwd"), (".bashrc", "_bashrc"), ("..", "_."), (".", "_"), ("", "file"), ("  ", "file"),
        ("a\u{0}b\u{1B}[2Jc", "ab[2Jc"), ("line\nbreak", "line break"), ("a\\b", "a_b"), ("gpj.\u{202E}exe", "gpj.exe"),
        (" a ", "a"), ("/\u{301}x", "_x"),
    ])
    func `lead nowhere and hide nothing`(name: String, expected: String) {
        #expect(FileName.harmless(name) == expected)
    }

    @Test func `keep their limit, and no character is cut`() {
        #expect(FileName.isAllowed(String(repeating: "a", count: 255)))
        #expect(!FileName.isAllowed(String(repeating: "a", count: 256)))
        #expect(!FileName.isAllowed(""))
        let long = FileName.harmless(String(repeating: "é", count: 200))
        #expect(long == String(repeating: "é", count: 127))
    }
}
