import ArgumentParser
import Foundation

/// Makes a copy of the package in which every mutant can be switched on.
///
/// A file is written only if it changes, so that the next build of the copy has little to do.
struct Planting {
    /// The package as it is.
    let package: URL
    /// Where the copy goes.
    let copy: URL
    private var files: [String: Data] = [:]

    init(of package: URL, into copy: URL) {
        self.package = package
        self.copy = copy
    }

    /// Makes the copy.
    mutating func plant(_ mutants: [Mutant]) throws {
        try read()
        for mutant in mutants {
            guard let source = files[mutant.file] else {
                throw ValidationError("\(mutant.name): there is no \(mutant.file)")
            }
            files[mutant.file] = Data(try mutant.plant(into: String(decoding: source, as: UTF8.self)).utf8)
        }
        for target in Set(mutants.map(\.target)) { files["Sources/\(target)/Planted.swift"] = Data(Self.planted.utf8) }
        try write()
    }

    private mutating func read() throws {
        files = ["Package.swift": try Data(contentsOf: package.appending(path: "Package.swift"))]
        files["Package.resolved"] = try? Data(contentsOf: package.appending(path: "Package.resolved"))
        for file in Self.files(in: package) { files[file] = try Data(contentsOf: package.appending(path: file)) }
    }

    private func write() throws {
        for file in Self.files(in: copy) where files[file] == nil {
            try FileManager.default.removeItem(at: copy.appending(path: file))
        }
        for (file, data) in files {
            let place = copy.appending(path: file)
            guard (try? Data(contentsOf: place)) != data else { continue }
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: place)
        }
    }

    /// The sources of a package.
    private static func files(in package: URL) -> [String] {
        let sources = package.appending(path: "Sources").path
        guard let found = FileManager.default.enumerator(atPath: sources) else { return [] }
        return found.compactMap { $0 as? String }.filter { file in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(sources)/\(file)", isDirectory: &isFolder)
                && !isFolder.boolValue
        }
        .map { "Sources/\($0)" }
    }

    /// Tells the code of a target which bug is on.
    private static let planted = """
        import Glibc

        private let nameOfPlanted = getenv("MOOT_PLANTED").map { String(cString: $0) }

        /// Whether a planted bug is on in this process.
        func planted(_ name: String) -> Bool { nameOfPlanted == name }

        """
}
