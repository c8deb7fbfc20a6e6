import Membership

extension ScenarioOutcome {
    /// The result as one line of JSON, without the line break. Equal outcomes are equal bytes.
    ///
    /// - Parameter isExplained: whether the line ends with the rule that voids each void operation and the operation that decided.
    public func line(isExplained: Bool = false) -> [UInt8] {
        var line = JSONWriter()
        line.object { line in
            line.key("members")
            line.object { line in
                for member in members {
                    line.key(member.person.text)
                    line.string(member.tier.name)
                }
            }
            line.key("acting")
            line.string(acting?.text)
            line.key("archived")
            line.boolean(isArchived)
            line.key("waitlist")
            line.list(waitlist.map(\.text))
            line.key("fields")
            line.object { line in
                for field in fields {
                    line.key(field.name.text)
                    line.string(field.value)
                }
            }
            line.key("void")
            line.list(void.map(\.id.text))
            if isExplained {
                line.key("why")
                line.object { line in
                    for operation in void {
                        line.key(operation.id.text)
                        line.object { line in
                            line.key("rule")
                            line.string(operation.objection.rule.rawValue)
                            line.key("by")
                            line.string(operation.objection.decidedBy?.text)
                        }
                    }
                }
            }
        }
        return line.bytes
    }
}
