import Foundation
import Glibc

/// A page that leads a browser to a secret address, in a file that nobody else may read, for as long as the browser
/// needs.
///
/// What is said in the arguments of a process every user of the machine can see; a file's name tells nothing.
struct BrowserPage {
    /// How long a browser may take to start.
    private static let timeout = Duration.seconds(15)

    /// Where the file is.
    let path: String
    private let descriptor: Int32

    /// Writes the page; nil if that does not work, or the address is none.
    init?(leadingTo address: String, in folder: String) {
        // In the page it must stay what it is.
        guard address.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\"&'<>".utf8.contains($0) }) else { return nil }
        var template = Array("\(folder)/open-XXXXXX.html".utf8CString)
        descriptor = mkstemps(&template, 5)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let page = Array(
            """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Moot</title>
            <meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=\(address)"></head></html>

            """.utf8)
        guard write(descriptor, page, page.count) == page.count else {
            remove()
            return nil
        }
    }

    /// Waits until somebody has read the file, or long enough. The time of the last access, which systems keep lazily,
    /// is always noted for the first one after a change.
    func waitUntilRead() async {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return }
        let written = (status.st_atim.tv_sec, status.st_atim.tv_nsec)
        let end = ContinuousClock.now + Self.timeout
        while ContinuousClock.now < end, fstat(descriptor, &status) == 0,
            (status.st_atim.tv_sec, status.st_atim.tv_nsec) == written
        {
            do { try await Task.sleep(for: .milliseconds(100)) } catch { return }
        }
    }

    /// Removes the file.
    func remove() {
        unlink(path)
        close(descriptor)
    }
}
