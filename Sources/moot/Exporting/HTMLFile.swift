import LocalAPIModel

/// A file on an exported page.
enum HTMLFile {
    /// What is shown as a picture, by the end of its name. A browser takes a file from a disk for what its name says.
    private static let pictures: Set<String> = ["jpg", "jpeg", "png", "gif", "webp"]
    /// What is shown or played where somebody clicks, and runs nothing. Of any other file the name alone is shown: a
    /// page that somebody sent would be run with the rights of a local file.
    private static let harmless: Set<String> = pictures.union([
        "pdf", "txt", "mp4", "webm", "mov", "mp3", "ogg", "opus", "flac", "wav", "zip",
    ])

    /// A link to it, its picture, or its name.
    ///
    /// - Parameter path: where it is from the page; nil where it is not.
    static func html(of file: FileDescription, at path: String?) -> String {
        let label = "<bdi>\(HTMLText.line(file.name))</bdi>"
        let size = TerminalText.size(file.size)
        guard let path else { return "\(label) (\(size), not exported: it was not on this node)" }
        let kind = file.name.lowercased().split(separator: ".").last.map(String.init) ?? ""
        let address = HTMLText.address(ofFile: path)
        guard harmless.contains(kind) else { return "\(label) (\(size), in the folder \(ExportedFiles.folder))" }
        let link = "<a href=\"\(address)\">\(label)</a> (\(size))"
        guard pictures.contains(kind) else { return link }
        let shape = zip(["width", "height"], [file.width, file.height]).map { name, value in
            value.map { " \(name)=\"\($0)\"" } ?? ""
        }
        return
            "<a href=\"\(address)\"><img loading=\"lazy\" alt=\"\" src=\"\(address)\"\(shape.joined())></a><br>\(link)"
    }
}
