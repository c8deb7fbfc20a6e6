import Membership

extension ScenarioOutcome {
    /// The result as one line of JSON, without the line break. Equal outcomes are equal bytes.
    ///
    /// - Parameter isExplained: whether the line ends with the rule that voids each void operation, the operation that
    ///   decided and of a ratification which entry breaks the rule, and with what became of each grant.
    public func line(isExplained: Bool = false) -> [UInt8] {
        var line = JSONWriter()
        line.object { line in
            line.key("members")
            line.object { line in
                for member in members {
                    line.key(member.person.text)
                    line.string(member.role.name)
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
            if let content {
                line.key("content")
                line.object { line in
                    for (id, verdict) in content {
                        line.key(id.text)
                        line.string(verdict.word)
                    }
                }
            }
            if isExplained { explain(to: &line) }
        }
        return line.bytes
    }

    /// Writes why operations are void and content does not count, and what became of each grant.
    private func explain(to line: inout JSONWriter) {
        line.key("why")
        line.object { line in
            for operation in void {
                line.key(operation.id.text)
                let reason = operation.voidReason
                line.object { Self.write(reason.rule.rawValue, reason.decidedBy, entry: reason.entry, to: &$0) }
            }
        }
        if let content {
            line.key("why_content")
            line.object { line in
                for case (let id, .doesNotCount(let rule, let decider)) in content {
                    line.key(id.text)
                    line.object { Self.write(rule, decider, to: &$0) }
                }
            }
        }
        line.key("grants")
        line.object { line in
            for (person, accounts) in grants {
                line.key(person.text)
                line.list(accounts) { line, account in
                    line.object { Self.write(account, to: &$0) }
                }
            }
        }
    }

    private static func write(_ rule: String, _ decider: Name?, entry: Int? = nil, to line: inout JSONWriter) {
        line.key("rule")
        line.string(rule)
        line.key("by")
        line.string(decider?.text)
        guard let entry else { return }
        line.key("entry")
        line.number(entry)
    }

    private static func write(_ account: GrantOutcome<Name>, to line: inout JSONWriter) {
        line.key("grant")
        line.string("\(account.operation.text)#\(account.slot)")
        line.key("role")
        line.string(account.role.name)
        line.key("remaining_role")
        line.string(account.remainingRole?.name)
        line.key("counts")
        line.boolean(account.counts)
        line.key("void")
        line.boolean(account.isVoid)
        line.key("by")
        line.list(account.limits.map(\.text))
    }
}
