import Blobs
import Conversations
import NodeCore
import Photos

extension Node {
    /// How large a photo is that is here, as its own header says: clients leave room for it before they have it. Nil
    /// for other files, and for what is no picture although its sender says so.
    ///
    /// - Complexity: the first time a chunk is read and opened, about 0.2 ms.
    func pictureSize(of reference: BlobReference) -> PictureSize? {
        guard reference.mediaType == .photo, reference.address.length <= PhotoReference.maximumPictureBytes,
            core.state(of: reference.address).phase == .here
        else { return nil }
        if let known = told.pictureSizes[reference.address] { return known }
        let size: PictureSize?
        do throws(NodeError) {
            size = Self.pictureSize(beginning: try piece(0, of: reference))
        } catch {
            // Whoever asks for the file is told why it cannot be read.
            return nil
        }
        told.pictureSizes[reference.address] = .some(size)
        return size
    }

    /// The size of a picture whose file begins so. A photo as Moot makes it has its size in the first of its bytes.
    private static func pictureSize(beginning file: [UInt8]) -> PictureSize? {
        do throws(PhotoError) {
            let header = try PictureHeader(of: file)
            return header.orientation.swapsSides ? header.size.turned : header.size
        } catch {
            return nil
        }
    }
}
