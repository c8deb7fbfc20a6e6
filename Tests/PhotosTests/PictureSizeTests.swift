import OperationLogFixtures
import Photos
import Testing

@Suite("The size of a picture")
struct PictureSizeTests {
    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `fits, keeps its shape and loses no more than it must`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let size = try #require(
            PictureSize(width: .random(in: 1...65_535, using: &random), height: .random(in: 1...65_535, using: &random))
        )
        let side = Int.random(in: 1...4_096, using: &random)
        let fitting = size.fitting(within: side)
        #expect(fitting.longerSide == min(side, size.longerSide))
        #expect(fitting == size.turned.fitting(within: side).turned)
        // Each side is the exact one, rounded, but never nothing.
        let scale = Double(fitting.longerSide) / Double(size.longerSide)
        #expect(abs(Double(fitting.width) - max(1, Double(size.width) * scale)) <= 0.5)
        #expect(abs(Double(fitting.height) - max(1, Double(size.height) * scale)) <= 0.5)
    }

    @Test
    func `has sides that a JPEG can have`() {
        #expect(PictureSize(width: 0, height: 1) == nil)
        #expect(PictureSize(width: 1, height: 65_536) == nil)
        #expect(PictureSize(width: 1, height: 65_535)?.fitting(within: 2_048) == PictureSize(width: 1, height: 2_048))
    }
}
