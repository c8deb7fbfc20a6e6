import Dispatch
import Glibc
import Photos

/// Makes photos of pictures in processes of their own, one at a time.
///
/// Nothing of a process is believed: not that it ends, so there is a deadline; not what it writes, which is looked
/// through as if a stranger had sent it.
public final class PhotoWorker: Sendable {
    private let program: String
    private let limits: PhotoLimits
    private let queue = DispatchQueue(label: "moot.photos")

    /// Names the program.
    ///
    /// - Parameters:
    ///   - program: the path of `moot-photo`.
    ///   - limits: what is accepted. The process keeps its own, those of every photo.
    public init(program: String, limits: PhotoLimits = PhotoLimits()) {
        self.program = program
        self.limits = limits
    }

    /// Runs the program that belongs to the one that runs now: in the same folder, as it is built, or where a package
    /// puts what people do not call.
    ///
    /// - Parameter isTrusted: whether a program at a path may be run: one that another user put there is none that
    ///   belongs to it.
    public convenience init(where isTrusted: (_ path: String, _ own: String) -> Bool = { _, _ in true }) {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count)
        let own = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let places = Self.places(for: own)
        self.init(program: places.first { access($0, X_OK) == 0 && isTrusted($0, own) } ?? "")
    }

    /// Where `moot-photo` is looked for, the first place first.
    ///
    /// - Parameter program: the path of the program that looks for it, as `/usr/bin/moot`.
    package static func places(for program: String) -> [String] {
        let folder = program.split(separator: "/").dropLast().map { "/" + $0 }
        return [folder.joined() + "/moot-photo", folder.dropLast().joined() + "/libexec/moot/moot-photo"]
    }

    /// Makes a photo of a file, which is read when its turn comes: so one is in memory at a time.
    ///
    /// - Parameter read: called on a thread of the worker; nil where the file cannot be read, and then there is no
    ///   photo.
    public func photo(of read: @escaping @Sendable () -> [UInt8]?) async throws(PhotoError) -> Photo? {
        let outcome = await withCheckedContinuation {
            (waiting: CheckedContinuation<Result<Photo, PhotoError>?, Never>) in
            queue.async { waiting.resume(returning: read().map(self.outcome)) }
        }
        return try outcome?.get()
    }

    /// Makes a photo of a file.
    public func photo(of file: [UInt8]) async throws(PhotoError) -> Photo {
        guard let photo = try await photo(of: { file }) else { preconditionFailure("a file in memory can be read") }
        return photo
    }

    private func outcome(of file: [UInt8]) -> Result<Photo, PhotoError> {
        do throws(PhotoError) {
            guard file.count <= limits.fileByteCount else { throw .tooLarge }
            // Not worth a process, nor the memory for a second copy.
            _ = try PictureHeader(of: file)
            let input = try MemoryFile()
            try input.write(file)
            var process = try PhotoProcess(program: program, input: input)
            try process.wait(for: limits.timeout)
            guard let bytes = process.output.bytes(limit: PhotoResponse.maximumBytes(limits)),
                let answer = PhotoResponse(decoding: bytes, limits: limits)
            else { throw .broken }
            return answer.photo
        } catch {
            return .failure(error)
        }
    }
}
