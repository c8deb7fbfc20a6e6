import CProcess
import Glibc

/// Which system calls a process may make from now on: those that take and give back memory, read its standard input,
/// write its standard output and end it. Any other kills it at once.
///
/// So whoever takes over a reader of pictures can open no file and no socket, start no process and signal none, and can
/// bring no code of their own: memory never becomes executable.
struct SystemCallFilter {
    /// What is said of one call.
    private enum Permission {
        case always
        /// If an argument is one of these.
        case withArgument(UInt32, among: [Int32])
        /// If an argument has none of these bits.
        case withoutBits(Int32, inArgument: UInt32)
    }

    private static let permissions: [(call: Int, Permission)] = [
        (moot_call_read, .withArgument(0, among: [STDIN_FILENO])),
        // The last words of a crash, too, if whoever started the process wants to hear them.
        (moot_call_write, .withArgument(0, among: [STDOUT_FILENO, STDERR_FILENO])),
        (moot_call_mmap, .withoutBits(PROT_EXEC, inArgument: 2)),
        (moot_call_mprotect, .withoutBits(PROT_EXEC, inArgument: 2)),
        (moot_call_mremap, .always), (moot_call_munmap, .always), (moot_call_brk, .always),
        (moot_call_madvise, .always), (moot_call_futex, .always), (moot_call_getrandom, .always),
        (moot_call_exit, .always), (moot_call_exit_group, .always),
    ]

    /// The program in the language of the kernel's packet filter. Every part but the last goes on with the call's
    /// number loaded.
    private let program: [sock_filter]

    /// Writes the program; nil on an instruction set whose calls have other numbers.
    init?() {
        let architecture = moot_audit_architecture()
        guard architecture != 0 else { return nil }
        program =
            [
                Self.load(from: Offset.architecture), Self.unlessEqual(architecture, skippingElse: 1),
                Self.kill, Self.load(from: Offset.number),
            ]
            + Self.permissions.flatMap { call, permission in
                let answer = Self.answer(permission)
                return [Self.ifEqual(UInt32(call), skippingElse: UInt8(answer.count))] + answer
            } + [Self.kill]
    }

    /// Puts the filter in force, for good.
    ///
    /// - Returns: whether the kernel took it.
    func apply() -> Bool {
        var program = program
        return program.withUnsafeMutableBufferPointer { instructions in
            var filter = sock_fprog(len: UInt16(instructions.count), filter: instructions.baseAddress)
            return moot_filter_system_calls(&filter) == 0
        }
    }

    private static func answer(_ permission: Permission) -> [sock_filter] {
        switch permission {
        case .always:
            [allow]
        case .withArgument(let argument, let values):
            [load(argument: argument)]
                + values.flatMap { [ifEqual(UInt32(bitPattern: $0), skippingElse: 1), allow] } + [kill]
        case .withoutBits(let bits, let argument):
            [load(argument: argument), ifAny(of: UInt32(bitPattern: bits), skippingElse: 1), kill, allow]
        }
    }

    private static let allow = instruction(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
    private static let kill = instruction(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)

    /// Where the kernel puts what is known of a call (`struct seccomp_data`).
    private enum Offset {
        static let number: UInt32 = 0
        static let architecture: UInt32 = 4
        static let arguments: UInt32 = 16
    }

    private static func load(from offset: UInt32) -> sock_filter {
        instruction(BPF_LD | BPF_W | BPF_ABS, offset)
    }

    /// The lower half of an argument, which is all that the kernel looks at in these.
    private static func load(argument: UInt32) -> sock_filter { load(from: Offset.arguments + 8 * argument) }

    private static func ifEqual(_ value: UInt32, skippingElse count: UInt8) -> sock_filter {
        sock_filter(code: UInt16(BPF_JMP | BPF_JEQ | BPF_K), jt: 0, jf: count, k: value)
    }

    private static func unlessEqual(_ value: UInt32, skippingElse count: UInt8) -> sock_filter {
        sock_filter(code: UInt16(BPF_JMP | BPF_JEQ | BPF_K), jt: count, jf: 0, k: value)
    }

    private static func ifAny(of bits: UInt32, skippingElse count: UInt8) -> sock_filter {
        sock_filter(code: UInt16(BPF_JMP | BPF_JSET | BPF_K), jt: 0, jf: count, k: bits)
    }

    private static func instruction(_ code: Int32, _ value: UInt32) -> sock_filter {
        sock_filter(code: UInt16(code), jt: 0, jf: 0, k: value)
    }
}
