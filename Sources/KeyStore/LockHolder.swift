import Glibc

/// Who holds the lock of a home, as its file says: so that a command finds the node whatever folders its own
/// environment names.
///
/// What a file says is believed only if nobody but the user who asks could have written it.
package struct LockHolder: Equatable, Sendable {
    /// The process that took the lock last.
    package let process: Int32
    /// The path of the socket on which its node listens; nil for one that does not yet, and for what is no node.
    package let socket: String?

    /// More than a number and the path of a socket have.
    private static let maximumBytes = 512
    /// Of a table of locks no more is read.
    private static let maximumTableBytes = 4 << 20

    /// Reads who holds a home; nil where nobody does, or where the file is not the user's alone.
    package init?(ofHome folder: String) {
        let file = open(folder + "/lock", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_mode & 0o022 == 0
        else { return nil }
        self.init(reading: file)
    }

    /// Reads an open file from its beginning; nil if it names no process.
    init?(reading file: Int32) {
        var bytes = [UInt8](repeating: 0, count: Self.maximumBytes)
        let count = max(0, pread(file, &bytes, bytes.count, 0))
        let lines = bytes.prefix(count).split(separator: UInt8(ascii: "\n"), maxSplits: 1)
        guard let first = lines.first, let process = Int32(String(decoding: first, as: UTF8.self)), process > 0 else {
            return nil
        }
        self.process = process
        let path = lines.dropFirst().first.map {
            String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }
        socket = path.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// The lines of the file that say so.
    static func lines(process: Int32, socket: String?) -> [UInt8] {
        Array("\(process)\n\(socket.map { $0 + "\n" } ?? "")".utf8)
    }

    /// The socket, where only the user who asks can open it, in a folder that nobody else can change.
    package var privateSocket: String? {
        socket.flatMap { Self.isPrivate($0, ofHome: nil) ? $0 : nil }
    }

    /// Whether a socket is one that only its user can open, in a folder that nobody else can change.
    ///
    /// - Parameter home: whose owner that user is, where root asks; for anybody else it is the user who asks.
    package static func isPrivate(_ socket: String, ofHome home: String?) -> Bool {
        guard let end = socket.lastIndex(of: "/") else { return false }
        let owner = owner(ofHome: home)
        var (place, folder) = (stat(), stat())
        // A link in the socket's place could lead to another program's.
        guard lstat(socket, &place) == 0, stat(String(socket[..<end]), &folder) == 0 else { return false }
        return place.st_mode & S_IFMT == S_IFSOCK && place.st_uid == owner && place.st_mode & 0o077 == 0
            && folder.st_uid == owner && folder.st_mode & 0o022 == 0
    }

    /// As whom the node of a home runs: as its owner, where root asks, and for anybody else as who asks.
    package static func owner(ofHome home: String?) -> uid_t {
        var status = stat()
        return geteuid() == 0 && home.map { stat($0, &status) == 0 } ?? false ? status.st_uid : geteuid()
    }

    /// Whether the process is there and is this program: a number that is free again may come to mean another one.
    package var isRunning: Bool {
        Self.name(of: process).map { $0 == Self.name(of: getpid()) } ?? false
    }

    /// What the kernel says of the lock of a home, whatever its file still says.
    package enum Hold: Equatable, Sendable {
        /// Nobody has it: the kernel takes it from a process that has died.
        case free
        /// A node has it, in a process that this one can see.
        case node(LockHolder)
        /// A process has it that has no socket: a node about to start or to stop, or a command that needs a node to be
        /// stopped. Nil while its file is empty, as at the very beginning and the very end.
        case unready(LockHolder?)
        /// Somebody has it whom this process cannot see, as a node in a container. The number in the file means another
        /// process here, or none.
        case unseen(LockHolder)

        /// Whether a node has it that should answer, here or where this process cannot see it.
        package var isNodes: Bool {
            switch self {
            case .node, .unseen: true
            case .free, .unready: false
            }
        }
    }

    /// Finds out who has the lock of a home, among the locks that the kernel shows in `/proc/locks`.
    package static func hold(ofHome folder: String) -> Hold {
        let file = open(folder + "/lock", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return .free }
        defer { close(file) }
        var status = stat()
        // What is another user's is theirs to stop.
        guard fstat(file, &status) == 0, status.st_uid == geteuid(), flock(file, LOCK_SH | LOCK_NB) != 0,
            errno == EWOULDBLOCK
        else { return .free }
        guard let holder = LockHolder(ofHome: folder) else { return .unready(nil) }
        let isSeen = locks().map { holder.isAmong($0, ofFile: UInt64(status.st_ino)) } ?? holder.isRunning
        guard isSeen else { return .unseen(holder) }
        return holder.socket == nil ? .unready(holder) : .node(holder)
    }

    /// Whether a table of locks, as proc_locks(5) describes it, shows that the process has locked a file.
    ///
    /// The kernel counts processes as whoever reads the table does, and leaves out those that they cannot see. The
    /// number of the device is not compared, for file systems such as btrfs tell programs another one.
    func isAmong(_ locks: String, ofFile number: UInt64) -> Bool {
        locks.split(separator: "\n").contains { line in
            let words = line.split(separator: " ")
            guard words.count > 5, words[1] == "FLOCK", words[4] == "\(process)" else { return false }
            return words[5].split(separator: ":").last == "\(number)"
        }
    }

    /// The table of locks; nil where the system shows none.
    private static func locks() -> String? {
        let file = open("/proc/locks", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var (table, piece): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 16 << 10))
        while table.count < maximumTableBytes, case let count = read(file, &piece, piece.count), count > 0 {
            table += piece.prefix(count)
        }
        return String(decoding: table, as: UTF8.self)
    }

    /// What the kernel calls a process.
    private static func name(of process: Int32) -> [UInt8]? {
        let file = open("/proc/\(process)/comm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(file, &bytes, bytes.count)
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }
}
