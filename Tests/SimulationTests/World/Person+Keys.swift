import Cryptography
import NodeCore
import OperationLogFixtures

@testable import Simulation

extension Person {
    /// What names the person's node, with fresh keys for its channel and its disk.
    func nodeKeys(using random: inout SeededRandom) -> NodeCore.Keys {
        NodeCore.Keys(
            root: root, author: author, channelKey: AgreementKey.generate(using: &random),
            sealing: StorageKey.generate(using: &random))
    }
}
