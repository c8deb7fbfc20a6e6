import CPictures
import Foundation
import PhotoWorkers
import Photos

/// How long the picture of a camera takes until it may be shown to others, against reading its pixels with plain
/// libjpeg-turbo.
struct PhotoCost: Codable {
    var megabytes: Double
    /// The process and everything in it.
    var milliseconds: Double
    /// Every pixel, in full size, and nothing else.
    var plainMilliseconds: Double
    /// What becomes of it.
    var photoKilobytes: Double

    /// 24 million pixels.
    private static let size = (width: 6_000, height: 4_000)
    private static let rounds = 7

    static func measure() async throws -> PhotoCost {
        let file = try camera()
        let worker = PhotoWorker()
        var photo = try await worker.photo(of: file)
        var times: [Double] = []
        var plainTimes: [Double] = []
        // In turns, so that both meet the same moments of a busy machine.
        for _ in 0..<rounds {
            let begin = ContinuousClock.now
            photo = try await worker.photo(of: file)
            times.append(begin.duration(to: .now).milliseconds)
            plainTimes.append(try seconds { try readPlainly(file) } * 1_000)
        }
        return PhotoCost(
            megabytes: Double(file.count) / 1e6, milliseconds: Statistics(times).median,
            plainMilliseconds: Statistics(plainTimes).median,
            photoKilobytes: Double(photo.picture.bytes.count) / 1e3)
    }

    /// A picture with edges, gradients and the noise of a sensor, about as long as a camera's.
    private static func camera() throws -> [UInt8] {
        var noise: UInt32 = 1
        var pixels = [UInt8](repeating: 0, count: size.width * size.height * 3)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let color = [x * 255 / size.width, y * 255 / size.height, (x / 64 + y / 64) % 2 * 128 + 64]
                for channel in 0..<3 {
                    noise = noise &* 1_103_515_245 &+ 12_345
                    pixels[(y * size.width + x) * 3 + channel] = UInt8(
                        clamping: color[channel] + Int(noise >> 16 & 31) - 16)
                }
            }
        }
        var count = 0
        var result = moot_picture_result.done
        let file = [UInt8](unsafeUninitializedCapacity: pixels.count) { bytes, written in
            result = moot_jpeg_write(
                pixels, UInt32(size.width), UInt32(size.height), 90, bytes.baseAddress, pixels.count, &count)
            written = count
        }
        guard result == .done else { throw BenchError("the picture cannot be written: \(result)") }
        return file
    }

    private static func readPlainly(_ file: [UInt8]) throws {
        var reader: OpaquePointer?
        var shape = moot_picture_shape()
        var row = [UInt8](repeating: 0, count: size.width * 3)
        try file.withUnsafeBufferPointer { file in
            let begun = moot_jpeg_reader_begin(
                &reader, file.baseAddress, file.count, UInt32(size.width), UInt32(size.height), 1, 1 << 30, &shape)
            guard begun == .done, let reader else { throw BenchError("the picture cannot be read: \(begun)") }
            defer { moot_jpeg_reader_end(reader) }
            for _ in 0..<size.height {
                guard moot_jpeg_reader_next(reader, &row) == .done else { throw BenchError("a row is missing") }
            }
        }
    }
}
