import Conversations

/// The bytes around the files of a ZIP archive (PKWARE APPNOTE 6.3), which is written as it is read: nothing is
/// compressed, for photos and films are, and what a file adds up to follows it.
///
/// Lengths are known beforehand, so the archive's own is, too. Without the 64-bit extension it stays below 4 GiB.
struct ZipArchive: Sendable {
    /// A file of the archive.
    struct Entry: Sendable {
        /// Its name, without folders.
        let name: String
        /// Bytes of it.
        let length: Int
    }

    /// The most files.
    static let maximumFiles = 256
    /// The most bytes of the whole archive.
    static let maximumBytes = Int(UInt32.max)

    /// The files, each with a name of its own.
    let entries: [Entry]
    private var written: [(offset: Int, sum: UInt32)] = []
    private var offset = 0

    /// Describes an archive; nil if it would be too large or have too many files.
    init?(of files: [Entry]) {
        var taken: Set<String> = []
        entries = files.map { file in
            var name = file.name
            var number = 2
            while !taken.insert(name.lowercased()).inserted {
                name = FileName.numbered(file.name, number)
                number += 1
            }
            return Entry(name: name, length: file.length)
        }
        guard files.count <= Self.maximumFiles, length <= Self.maximumBytes else { return nil }
    }

    /// Bytes of the whole archive.
    var length: Int {
        entries.reduce(22) { $0 + 30 + 16 + 46 + 2 * $1.name.utf8.count + $1.length }
    }

    /// What comes before the next file.
    mutating func begin() -> [UInt8] {
        let entry = entries[written.count]
        var bytes = ZipBytes()
        bytes.append(0x0403_4B50 as UInt32)
        bytes.append(common: entry, sum: 0, length: 0)
        bytes.append(0 as UInt16)
        bytes.append(name: entry)
        return bytes.all
    }

    /// What comes after a file whose bytes add up to `sum`.
    mutating func end(sum: UInt32) -> [UInt8] {
        let entry = entries[written.count]
        written.append((offset, sum))
        offset += 30 + entry.name.utf8.count + entry.length + 16
        var bytes = ZipBytes()
        bytes.append(0x0807_4B50 as UInt32)
        bytes.append(sum)
        bytes.append(UInt32(entry.length))
        bytes.append(UInt32(entry.length))
        return bytes.all
    }

    /// What comes after all files.
    func directory() -> [UInt8] {
        var bytes = ZipBytes()
        for (entry, place) in zip(entries, written) {
            bytes.append(0x0201_4B50 as UInt32)
            // Made by Unix, by version 2.0.
            bytes.append(0x0314 as UInt16)
            bytes.append(common: entry, sum: place.sum, length: UInt32(entry.length))
            // No extra field, no comment, the first disk, no internal attributes.
            for _ in 0..<4 { bytes.append(0 as UInt16) }
            // A plain file that its owner reads and writes, and others read.
            bytes.append(UInt32(0o100644) << 16)
            bytes.append(UInt32(place.offset))
            bytes.append(name: entry)
        }
        let count = UInt16(entries.count)
        let length = UInt32(bytes.all.count)
        bytes.append(0x0605_4B50 as UInt32)
        bytes.append(0 as UInt32)
        bytes.append(count)
        bytes.append(count)
        bytes.append(length)
        bytes.append(UInt32(offset))
        bytes.append(0 as UInt16)
        return bytes.all
    }
}

/// Numbers in the order of bytes that ZIP has.
private struct ZipBytes {
    private(set) var all: [UInt8] = []

    mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { all += $0 }
    }

    /// What a file's header and its row in the directory have in common, up to the length of the name.
    mutating func append(common entry: ZipArchive.Entry, sum: UInt32, length: UInt32) {
        append(20 as UInt16)
        // The sum follows the file, and names are UTF-8.
        append(0x0808 as UInt16)
        append(0 as UInt16)
        // 1980-01-01, the first day that there is: when a file was made is nothing that its sender said.
        append(0 as UInt16)
        append(0x0021 as UInt16)
        append(sum)
        append(length)
        append(length)
        append(UInt16(entry.name.utf8.count))
    }

    mutating func append(name entry: ZipArchive.Entry) { all += entry.name.utf8 }
}

/// CRC-32 as ZIP has it (ISO 3309), of bytes as they come.
struct CRC32: Sendable {
    private static let table: [UInt32] = (0..<256 as Range<UInt32>).map { byte in
        (0..<8).reduce(byte) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
    }

    private var state = UInt32.max

    /// The sum of what came so far.
    var sum: UInt32 { ~state }

    /// Takes in what follows.
    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { state = Self.table[Int((state ^ UInt32(byte)) & 0xFF)] ^ (state >> 8) }
    }
}
