import Glibc

/// Keeps the memory of a process that mostly waits small.
enum IdleMemory {
    /// Gives back the code that only starting needed. What is still used comes back from the kernel's page cache with the
    /// next touch.
    static func giveBackStartup() {
        guard let maps = fopen("/proc/self/maps", "r") else { return }
        defer { fclose(maps) }
        var line = [CChar](repeating: 0, count: 8_192)
        while fgets(&line, Int32(line.count), maps) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            guard let code = Mapping(text), code.isFileCode else { continue }
            // Only executable mappings: they hold nothing but what the file holds. Data that the loader has relocated would be
            // lost.
            madvise(UnsafeMutableRawPointer(bitPattern: code.begin), code.length, MADV_DONTNEED)
        }
    }

    /// A line of `/proc/self/maps` (proc(5)).
    struct Mapping: Equatable {
        let begin: UInt
        let length: Int
        /// Whether it is code of a file, mapped privately, that nobody can have written to.
        let isFileCode: Bool

        init?(_ line: String) {
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count >= 5 else { return nil }
            let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard bounds.count == 2, let length = Int(exactly: bounds[1] &- bounds[0]), length > 0 else { return nil }
            begin = bounds[0]
            self.length = length
            isFileCode = fields[1] == "r-xp" && fields.count > 5 && fields[5].hasPrefix("/")
        }
    }
}
