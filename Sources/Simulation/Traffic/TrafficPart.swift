import Replication

/// What was sent in a part of a run, and for what.
package struct TrafficPart: Hashable, Sendable {
    /// The nodes that sent it.
    package let nodes: Int
    /// How long it took, in seconds of virtual time.
    package let seconds: Double
    /// Operations that were written meanwhile.
    package let written: Int
    /// Operations that some node made durable meanwhile, counted once for each node.
    package let deliveries: Int
    /// The messages.
    package let traffic: TrafficTally

    /// Everything but the asking whether somebody is there, which goes on whether anybody writes or not.
    private var cost: TrafficTally.Count {
        traffic.total(of: Set(MessagePurpose.allCases).subtracting([.liveness]))
    }

    /// Messages for each operation that was written.
    package var messagesPerOperation: Double { Double(cost.messages) / Double(max(written, 1)) }

    /// Bytes for each operation and each node that it reached.
    package var bytesPerDelivery: Double { Double(cost.bytes) / Double(max(deliveries - written, 1)) }

    /// Messages of all kinds that a node sends in a second.
    package var messagesPerNodeSecond: Double {
        Double(traffic.total(of: Set(MessagePurpose.allCases)).messages) / nodeSeconds
    }

    /// Messages by which a node compares in a second what it holds with others.
    package var comparisonsPerNodeSecond: Double { Double(traffic.total(of: [.comparison]).messages) / nodeSeconds }

    private var nodeSeconds: Double { Double(max(nodes, 1)) * max(seconds, 0.001) }
}

/// What was sent in each part of a run.
package struct TrafficReport: Hashable, Sendable {
    /// Nodes find each other, and somebody makes a group; nil before its end.
    package internal(set) var gathering: TrafficPart?
    /// People write.
    package internal(set) var writing: TrafficPart?
    /// Nobody does anything; nil where the network did not become equal.
    package internal(set) var resting: TrafficPart?
}
