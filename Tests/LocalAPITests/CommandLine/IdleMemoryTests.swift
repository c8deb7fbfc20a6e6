import Testing

@testable import moot

@Suite("Memory given back after starting")
struct IdleMemoryTests {
    @Test func `is code of files and nothing else`() throws {
        let code = try #require(
            IdleMemory.Mapping("7f00a000-7f00c000 r-xp 00001000 fd:00 77 /usr/lib/libc.so.6\n"))
        #expect(code.begin == 0x7F00_A000)
        #expect(code.length == 0x2000)
        #expect(code.isFileCode)
        for line in [
            "7f00a000-7f00c000 r--p 00001000 fd:00 77 /usr/lib/libc.so.6",
            "7f00a000-7f00c000 rw-p 00001000 fd:00 77 /usr/lib/libc.so.6",
            "7f00a000-7f00c000 rwxp 00001000 fd:00 77 /usr/lib/libc.so.6",
            "7f00a000-7f00c000 r-xs 00001000 fd:00 77 /usr/lib/libc.so.6",
            "7f00a000-7f00c000 r-xp 00000000 00:00 0 [vdso]",
            "7f00a000-7f00c000 r-xp 00000000 00:00 0",
        ] {
            #expect(try #require(IdleMemory.Mapping(line)).isFileCode == false)
        }
    }

    @Test(arguments: ["", "nonsense", "a-b", "7f00c000-7f00a000 r-xp 0 0:0 1 /x", "1-1 r-xp 0 0:0 1 /x"])
    func `is nothing where a line makes no sense`(line: String) {
        #expect(IdleMemory.Mapping(line) == nil)
    }

    @Test func `is not missed: the program runs on`() {
        IdleMemory.giveBackStartup()
        #expect((1...1_000).map { "\($0)" }.joined().count == 2_893)
    }
}
