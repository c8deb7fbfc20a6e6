import Glibc
import PhotoRendering
import Photos

/// Reads a picture from standard input and writes to standard output what becomes of it: a ``PhotoResponse``.
///
/// It knows nothing of Moot: no key, no file, no address. Before it reads the first byte it confines itself, so that a
/// picture that was made to take it over has taken over nothing.
@main
enum MootPhoto {
    static func main() {
        let limits = PhotoLimits()
        guard Confinement.apply(limits) else { exit(PhotoResponse.unconfinedStatus) }
        let answer: PhotoResponse
        do throws(PhotoError) {
            answer = PhotoResponse(.success(try PhotoRenderer.photo(of: try input(limit: limits.fileByteCount))))
        } catch {
            answer = PhotoResponse(.failure(error))
        }
        exit(output(answer.encoded) ? EXIT_SUCCESS : EXIT_FAILURE)
    }

    /// All of standard input, or the error if it is longer.
    private static func input(limit: Int) throws(PhotoError) -> [UInt8] {
        var file: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(STDIN_FILENO, &piece, piece.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .truncated }
            guard count > 0 else { return file }
            guard file.count + count <= limit else { throw .tooLarge }
            file += piece.prefix(count)
        }
    }

    private static func output(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
