import Conversations

extension NodeCore {
    /// What this user may do in a conversation now, as the commands would decide it. Where they have not said that they
    /// want to be in it, or where this node writes nothing any more, that is nothing.
    ///
    /// - Complexity: as ``Conversations/Group/rights(of:)``.
    public func rights(in replica: Replica) -> Group.Rights {
        do throws(NodeError) {
            try requireMembership(in: replica)
            try requireWritable()
        } catch {
            return Group.Rights()
        }
        var rights = replica.group.rights(of: me)
        do throws(NodeError) {
            try requireWritePermission(in: replica)
        } catch {
            rights.write = false
        }
        return rights
    }
}
