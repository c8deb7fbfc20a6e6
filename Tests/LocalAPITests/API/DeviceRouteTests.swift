import Cryptography
import HTTPTypes
import LocalAPIModel
import Testing

@testable import LocalAPIClient
@testable import LocalAPIServer

@Suite("The local API about the user's devices")
struct DeviceRouteTests {
    /// What changes a device.
    private enum Change: CaseIterable {
        case rename, retire, revoke

        func make(
            on device: DeviceDescription, _ client: LocalClient, _ passphrase: String?
        ) async throws(LocalClientError) -> DeviceDescription {
            switch self {
            case .rename: try await client.renameDevice(device.id, to: "kitchen", passphrase: passphrase)
            case .retire: try await client.retireDevice(device.id, passphrase: passphrase)
            case .revoke: try await client.revokeDevice(device.id, passphrase: passphrase)
            }
        }
    }

    @Test func `asks for the passphrase whenever a device is renamed or taken out`() async throws {
        let secret = "correct horse"
        let passphrase = try #require(Passphrase(secret))
        try await Alice.tells(knowing: [], passphrase: passphrase) { alice in
            let client = alice.client
            let device = try #require(try await client.devices().first)
            for change in Change.allCases {
                let answers = [
                    nil: "passphrase_needed", "battery staple": "wrong_passphrase", "": "invalid_request",
                    String(repeating: "a", count: 1_025): "invalid_request",
                ]
                for (text, code) in answers {
                    #expect(await refusal { try await change.make(on: device, client, text) } == code)
                }
            }
            #expect(try await client.devices() == [device])

            #expect(try await client.renameDevice(device.id, to: "kitchen", passphrase: secret).name == "kitchen")
            // Nobody takes out the device that they use, passphrase or not.
            #expect(await refusal { try await Change.retire.make(on: device, client, secret) } == "invalid_operation")
            #expect(await refusal { try await Change.revoke.make(on: device, client, secret) } == "invalid_operation")
            // It was not kept.
            #expect(await refusal { try await Change.rename.make(on: device, client, nil) } == "passphrase_needed")
        }
    }

    @Test func `refuses a passphrase where none guards the home`() async throws {
        try await Alice.tells(knowing: []) { alice in
            let device = try #require(try await alice.client.devices().first)
            #expect(
                await refusal {
                    try await alice.client.renameDevice(device.id, to: "kitchen", passphrase: "correct horse")
                } == "invalid_operation")
            #expect(try await alice.client.renameDevice(device.id, to: "kitchen").name == "kitchen")
        }
    }

    /// A script that got into the page for a moment would else own the identity for good.
    @Test func `the key of the identity is handed over on the Unix socket only`() async throws {
        try await Alice.tells(knowing: [], web: LocalServer.Web(port: 0)) { alice in
            let page = try await BrowserSession(of: alice)
            let target = "/api/v1/device-links/00/agreement"
            let refused = try await page.ask(target, method: "POST", body: #"{"with_root":true}"#)
            #expect(refused.status == 403 && refused.code == "socket_only")
            #expect(refused.body.contains("moot devices add CODE --with-root"))
            #expect(try await page.ask(target, method: "POST", body: #"{"with_root":false}"#).code == "code_expired")
            #expect(
                await refusal { try await alice.client.agree(toDeviceLink: "00", withRoot: true) } == "code_expired")
        }
    }

    /// The key that signs these stays with the user, so whoever finds the node running needs the passphrase, and a
    /// token is not enough.
    @Test func `what the root signs takes the user and the passphrase, and a table has all of it`() async throws {
        let owners = Route.all.filter { $0.asker == .owner }
        #expect(
            Set(owners.map { "\($0.method.rawValue) \($0.path)" }) == [
                "DELETE /profile", "PATCH /devices/{device}", "POST /devices/{device}/retirement",
                "POST /devices/{device}/revocation", "POST /device-links",
            ])
        for route in Route.all {
            let takesPassphrase = route.body?.fieldNames.contains("passphrase") ?? false
            #expect(takesPassphrase == (route.asker == .owner), "\(route.path)")
        }
        let passphrase = try #require(Passphrase("correct horse"))
        try await Alice.tells(knowing: [], web: LocalServer.Web(port: 0), passphrase: passphrase) { alice in
            let page = try await BrowserSession(of: alice)
            let device = try #require(try await alice.client.devices().first).id
            for route in owners {
                let (target, body) = Self.example(of: route, on: device)
                let refused = try await page.ask(target, method: route.method.rawValue, body: body)
                // A code that nobody shows is refused before the passphrase.
                #expect(refused.code == (route.path == "/device-links" ? "code_invalid" : "passphrase_needed"))
            }
            #expect(await refusal { try await alice.client.deleteProfile() } == "passphrase_needed")
            #expect(await refusal { try await alice.client.deleteProfile(passphrase: "x") } == "wrong_passphrase")
            #expect(try await !alice.client.profile().deleted)
            #expect(try await alice.client.deleteProfile(passphrase: "correct horse").deleted)
        }
    }

    @Test func `what only the user may ask for works on the page too, and for no program with a token`() async throws {
        try await Alice.tells(knowing: [], web: LocalServer.Web(port: 0)) { alice in
            let page = try await BrowserSession(of: alice)
            let device = try #require(try await alice.client.devices().first).id
            let tokens = [
                try await alice.client.webToken().token,
                try await alice.client.createToken(named: "bot", readOnly: false).token,
            ]
            for route in Route.all where route.asker != .anyone {
                let (target, body) = Self.example(of: route, on: device)
                for token in tokens {
                    let bearer = ("Authorization", "Bearer \(token)")
                    let refused = try await page.browser.ask(route.method.rawValue, target, [bearer], body: body)
                    #expect(refused.status == 403 && refused.code == "user_only", "\(route.path)")
                }
            }
            #expect(try await !alice.client.profile().deleted)
            for (method, target, body, code) in [
                ("POST", "/api/v1/device-links", #"{"code":"moot:link:x"}"#, "code_invalid"),
                ("POST", "/api/v1/device-links/00/agreement", "{}", "code_expired"),
                ("DELETE", "/api/v1/device-links/00", "", "code_expired"),
            ] {
                #expect(try await page.ask(target, method: method, body: body).code == code)
            }
        }
    }

    /// A request for a route: its path and its body.
    private static func example(of route: Route, on device: String) -> (target: String, body: String) {
        let path = route.path.replacing("{device}", with: device).replacing("{id}", with: "00")
        let body =
            switch route.path {
            case "/devices/{device}": #"{"name":"kitchen"}"#
            case "/device-links": #"{"code":"moot:link:x"}"#
            case "/device-links/{id}": ""
            default: "{}"
            }
        return (APIPath.prefix + path, body)
    }
}

extension RequestFields {
    fileprivate static var fieldNames: [String] { CodingKeys.allCases.map(\.stringValue) }
}
