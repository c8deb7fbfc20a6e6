extension QRCode {
    /// The code as an SVG document, black on white whatever is around it, one unit a module.
    ///
    /// It is one path of the dark runs of each row: a rectangle for each module would be ten times as long.
    public var svg: String {
        var path = ""
        for row in 0..<size {
            var column = 0
            while column < size {
                let start = column
                while column < size, isDark(row: row, column: column) { column += 1 }
                if column > start {
                    path +=
                        "M\(start + Self.quietZone) \(row + Self.quietZone)h\(column - start)v1H\(start + Self.quietZone)z"
                }
                column += 1
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(width)" shape-rendering="crispEdges">\
            <path fill="#fff" d="M0 0h\(width)v\(width)H0z"/><path d="\(path)"/></svg>
            """
    }
}
