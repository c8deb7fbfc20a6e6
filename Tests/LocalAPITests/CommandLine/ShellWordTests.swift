import Testing

@testable import moot

@Suite("Words of commands to paste")
struct ShellWordTests {
    @Test(arguments: [
        ("sails", "sails"), ("/home/al/sails-2", "/home/al/sails-2"), ("my files", "'my files'"), ("", "''"),
        ("it's", "'it'\\''s'"), ("$(rm -rf ~)", "'$(rm -rf ~)'"), ("~", "'~'"), ("a\nb", "'a b'"), ("Fähre", "'Fähre'"),
        ("\u{1B}[2J", "'[2J'"),
    ])
    func `mean to a shell what they say`(text: String, expected: String) {
        #expect(ShellWord.quoted(text) == expected)
    }
}
