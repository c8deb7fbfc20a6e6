import OperationLogFixtures
import Photos
import Testing

@testable import PhotoRendering

@Suite("Making pictures smaller")
struct AreaAverageTests {
    @Test(arguments: 1...100 as ClosedRange<UInt64>)
    func `gives each pixel the mean of what it covers`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let source = try #require(
            PictureSize(width: .random(in: 1...40, using: &random), height: .random(in: 1...40, using: &random)))
        let target = try #require(
            PictureSize(
                width: .random(in: 1...source.width, using: &random),
                height: .random(in: 1...source.height, using: &random)))
        let pixels = (0..<source.area * 3).map { _ in UInt8.random(in: 0...255, using: &random) }
        var average = AreaAverage(of: source, to: target)
        for y in 0..<source.height { average.add(row: pixels[y * source.width * 3..<(y + 1) * source.width * 3]) }
        let canvas = average.canvas
        for y in 0..<target.height {
            for x in 0..<target.width {
                for channel in 0..<3 {
                    let mean = Self.mean(of: pixels, source, in: target, x: x, y: y, channel: channel)
                    let found = canvas.pixels[(y * target.width + x) * 3 + channel]
                    #expect(abs(Double(found) - mean) <= 0.500_001)
                }
            }
        }
        if source == target { #expect(canvas.pixels == pixels) }
    }

    /// The mean as the textbook has it: every pixel counts as much as it is covered.
    private static func mean(
        of pixels: [UInt8], _ source: PictureSize, in target: PictureSize, x: Int, y: Int, channel: Int
    ) -> Double {
        func cover(_ index: Int, _ count: Int, by part: Int, of parts: Int) -> Double {
            let (start, end) = (Double(part) / Double(parts), Double(part + 1) / Double(parts))
            return max(0, min(end, Double(index + 1) / Double(count)) - max(start, Double(index) / Double(count)))
        }
        var sum = 0.0
        for row in 0..<source.height {
            let height = cover(row, source.height, by: y, of: target.height)
            guard height > 0 else { continue }
            for column in 0..<source.width {
                let width = cover(column, source.width, by: x, of: target.width)
                sum += Double(pixels[(row * source.width + column) * 3 + channel]) * width * height
            }
        }
        return sum * Double(target.area)
    }
}
