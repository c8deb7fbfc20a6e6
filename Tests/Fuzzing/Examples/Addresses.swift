extension Example {
    static var addresses: [Example] {
        let valid = [
            "v4": "10.0.0.7:47470", "v6": "[fd00::7]:47470", "scoped": "[fe80::1%1]:1",
            "wrapped-v4": "[::ffff:10.0.0.7]:80",
            "name": "kitchen-pi.local:65535", "anywhere": ":0", "scope-without-meaning": "[fd00::7%1]:1",
        ]
        let malformed = [
            "nothing": "", "without-port": "10.0.0.7", "port-65536": "10.0.0.7:65536", "port-with-sign": "10.0.0.7:+80",
            "without-brackets": "fd00::7:80", "open-bracket": "[fd00::7:80", "brackets-around-v4": "[10.0.0.7]:80",
            "space": "10.0.0.7 :80", "zero": "10.0.0.7\0:80", "other-digits": "10.0.0.7:\u{664}\u{664}",
            "too-long": String(repeating: "a", count: 300) + ":1",
        ]
        return valid.sorted { $0.key < $1.key }.map { accepted(.address, $0.key, Array($0.value.utf8)) }
            + malformed.sorted { $0.key < $1.key }.map {
                refused(.address, "malformed_address", $0.key, Array($0.value.utf8))
            } + [refused(.address, "not_utf8", "latin-1", Array("caf".utf8) + [0xE9] + Array(":80".utf8))]
    }
}
