import Conversations
import Testing

@Suite("Names of files")
struct FileNameTests {
    @Test(arguments: [
        ("a.txt", "a.txt"), ("Ship's log (2).pdf", "Ship's log (2).pdf"), ("../../etc/passwd", "_._.._etc_passwd"),
        ("/etc/passwd", "_etc_passwd"), (".bashrc", "_bashrc"), ("..", "file"), (".", "file"), ("", "file"),
        ("  ", "file"),
        ("a\u{0}b\u{1B}[2Jc", "ab[2Jc"), ("line\nbreak", "line break"), ("a\\b", "a_b"), ("gpj.\u{202E}exe", "gpj.exe"),
        (" a ", "a"), ("/\u{301}x", "_\u{301}x"), ("Re: why?.txt", "Re_ why_.txt"), ("-rf", "_rf"),
        ("--help", "_-help"),
        ("~root", "_root"), (" -rf", "_rf"), ("\u{0}-rf", "_rf"), ("\u{202E}.bashrc", "_bashrc"),
    ])
    func `lead nowhere and hide nothing`(name: String, expected: String) {
        #expect(FileName.sanitized(name) == expected)
    }

    @Test(arguments: [".\u{301}bashrc", "-\u{20E3}rf", "~\u{327}x", "/\u{301}\u{301}x", "a/\u{338}b"])
    func `are no safer with a mark on what is forbidden`(name: String) {
        let harmless = FileName.sanitized(name)
        #expect(harmless.unicodeScalars.first == "_" || harmless.unicodeScalars.dropFirst().first == "_")
        #expect(!harmless.utf8.contains(UInt8(ascii: "/")))
    }

    @Test(arguments: ["a.", "a ", "a. . .", "a\u{3000}", "a.\u{A0}."])
    func `end with what every disk keeps`(name: String) {
        #expect(FileName.sanitized(name) == "a")
    }

    @Test func `keep their limit, and no character is cut`() {
        #expect(FileName.isAllowed(String(repeating: "a", count: 255)))
        #expect(!FileName.isAllowed(String(repeating: "a", count: 256)))
        #expect(!FileName.isAllowed(""))
        let long = FileName.sanitized(String(repeating: "é", count: 200))
        #expect(long == String(repeating: "é", count: 127))
        // Cut where a space is, it ends with none.
        #expect(FileName.sanitized(String(repeating: "a", count: 254) + " b") == String(repeating: "a", count: 254))
    }

    @Test(arguments: [
        ("a.txt", "a (2).txt"), ("log", "log (2)"), ("log.tar.gz", "log.tar (2).gz"), ("a.b c", "a (2).b c"),
        ("_bashrc", "_bashrc (2)"), ("a .txt", "a (2).txt"),
    ])
    func `get a number before their ending`(name: String, expected: String) {
        #expect(FileName.numbered(name, 2) == expected)
    }

    @Test(arguments: [2, 10, 10_000])
    func `have room for a number however long they are`(number: Int) {
        let mark = " (\(number))"
        for name in [
            "é".repeated(125) + "x.jpg", "a".repeated(255), "x." + "y".repeated(253), "👩‍👩‍👧‍👦".repeated(9) + ".tar.gz",
        ] {
            #expect(FileName.isAllowed(name) && FileName.sanitized(name) == name)
            let numbered = FileName.numbered(name, number)
            #expect(FileName.isAllowed(numbered) && numbered.contains(mark))
            // What is left of the name are whole characters of it.
            let stem = numbered.prefix(upTo: numbered.firstRange(of: mark)?.lowerBound ?? numbered.startIndex)
            #expect(!stem.isEmpty && name.hasPrefix(stem))
            #expect(numbered.hasSuffix(mark) || numbered.hasSuffix(mark + (name.hasSuffix("jpg") ? ".jpg" : ".gz")))
        }
    }

    @Test(arguments: [
        ("shot.png", "shot.jpg"), ("shot.PNG", "shot.jpg"), ("shot.jpg", "shot.jpg"), ("shot.JPEG", "shot.JPEG"),
        ("shot", "shot.jpg"), ("shot.webp", "shot.webp.jpg"), (".png", ".png.jpg"), ("a.b.png", "a.b.jpg"),
    ])
    func `say of a photo that it is a JPEG`(name: String, expected: String) {
        #expect(FileName.ofPhoto(madeOf: name) == expected)
    }

    @Test func `of photos keep their limit, too`() {
        for name in ["a".repeated(255), "é".repeated(127), "a".repeated(252) + ".gi"] {
            let photo = FileName.ofPhoto(madeOf: name)
            #expect(FileName.isAllowed(photo) && photo.hasSuffix(".jpg"))
        }
    }

    @Test func `are still names where one character fills them`() {
        let name = "a" + "\u{301}".repeated(120) + ".jpg"
        #expect(FileName.numbered(name, 12_345_678) == "file (12345678).jpg")
    }
}

extension String {
    fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
