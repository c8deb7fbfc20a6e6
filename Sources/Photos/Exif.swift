/// Metadata of cameras (CIPA DC-008). Only one thing in it concerns the picture itself: how to turn it.
enum Exif {
    /// In the first directory of a TIFF structure, the orientation (TIFF 6.0, section 2); upright unless it says
    /// otherwise.
    ///
    /// Metadata that is damaged is not the picture's fault: such a picture is upright, too.
    static func orientation(in tiff: PictureBytes) -> Orientation {
        let littleEndian = tiff.starts(with: [0x49, 0x49, 42, 0])
        guard littleEndian || tiff.starts(with: [0x4D, 0x4D, 0, 42]),
            let directory = tiff.number(UInt32.self, at: 4, littleEndian: littleEndian).map(Int.init),
            let count = tiff.number(UInt16.self, at: directory, littleEndian: littleEndian)
        else { return .upright }
        for entry in 0..<Int(count) {
            let offset = directory + 2 + 12 * entry
            guard let tag = tiff.number(UInt16.self, at: offset, littleEndian: littleEndian) else { break }
            guard tag == orientationTag else { continue }
            // A single number of two bytes is in the entry itself.
            guard tiff.number(UInt16.self, at: offset + 2, littleEndian: littleEndian) == shortType,
                let value = tiff.number(UInt16.self, at: offset + 8, littleEndian: littleEndian)
            else { break }
            return Orientation(rawValue: value) ?? .upright
        }
        return .upright
    }

    private static let orientationTag: UInt16 = 0x0112
    private static let shortType: UInt16 = 3
}
