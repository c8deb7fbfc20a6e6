import Logging
import Node
import NodeCore

/// On which port of loopback browsers found the node last, in a file of its home.
///
/// The port is a part of the page's origin, and what a browser keeps of the page belongs to that: its key, and how somebody wants it to look. It is a wish
/// and no promise: where the file cannot be read or written, another port does.
struct LastPort: Sendable {
    private let file: PrivateFile<Int>
    private let logger: Logger

    /// Names the file in the home of a node.
    init(home: String, logger: Logger) {
        file = PrivateFile(home: home, name: "web-port.json", of: "the page's port")
        self.logger = logger
    }

    /// The port; nil if there was none, or what stands there is none that everybody may open.
    func read() -> Int? {
        do throws(NodeError) {
            return try file.read().first { (1_024...65_535).contains($0) }
        } catch {
            logger.notice("the page may get another port", metadata: ["reason": "\(error.message)"])
            return nil
        }
    }

    /// Notes the port, if it is another one than before.
    func write(_ port: Int) {
        guard read() != port else { return }
        do throws(NodeError) {
            try file.write([port])
        } catch {
            logger.notice("the page may get another port next time", metadata: ["reason": "\(error.message)"])
        }
    }
}
