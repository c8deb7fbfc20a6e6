/// Reads the table of IPv4 routes as Linux shows it in `/proc/net/route`.
public enum RouteTable {
    /// Lines that are read at most: a table without end must not stop anybody.
    private static let maximumLines = 65_536

    /// The routes of a table. A line that is none is left out.
    ///
    /// The columns are interface, destination, gateway, flags, reference count, use, metric and mask; addresses are
    /// numbers of the host, which have the first byte last on every machine that Moot runs on.
    public static func routes(in table: String) -> [NetworkObservation.Route] {
        table.split(separator: "\n").dropFirst().prefix(maximumLines).compactMap { line in
            let columns = line.split(whereSeparator: { $0 == "\t" || $0 == " " })
            guard columns.count > 7, let destination = UInt32(columns[1], radix: 16),
                let flags = UInt32(columns[3], radix: 16), flags & 1 == 1,
                let mask = UInt32(columns[7], radix: 16)
            else { return nil }
            let length = mask.byteSwapped.nonzeroBitCount
            return .init(
                destination: IPv4Prefix(destination.byteSwapped, length: length), interface: String(columns[0]))
        }
    }
}
