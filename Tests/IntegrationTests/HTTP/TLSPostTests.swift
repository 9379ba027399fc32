@testable import DeclaredIntents
import Foundation
import IntentKit
import IntentLab
import Testing

@Suite("Posts to a service with a private CA that asks for a certificate")
struct TLSPostTests {
    /// Two CAs, a server by the first, and clients by both.
    private func makeCertificates() async throws -> TestCertificates {
        let certificates = try TestCertificates()
        for name in ["ca", "other-ca"] { try await certificates.makeAuthority(name) }
        for name in ["server", "client"] { try await certificates.makeCertificate(name, by: "ca") }
        try await certificates.makeCertificate("stranger", by: "other-ca")
        return certificates
    }

    private func definition(
        _ certificates: TestCertificates,
        port: Int = 1,
        host: String = "127.0.0.1",
        tls: JSONObject?
    ) throws -> IntentDefinition {
        var http: JSONObject = ["url": .string("https://\(host):\(port)/"), "timeout": "PT10S"]
        if let tls { http["tls"] = .object(tls) }
        let file = DefinitionFile(
            ["name": "OrderLemonade", "handler": ["http": .object(http)]],
            directory: certificates.directory.path
        )
        try #require(file.problems.isEmpty, "\(file.problems)")
        return try #require(file.definitions.first)
    }

    private func post(_ definition: IntentDefinition) async throws -> HandlerResponse {
        let intent = IntentSnapshot(name: "OrderLemonade")
        return try await definition.makeRegistration().handle(intent, BareTurnHost.context())
    }

    private func failure(_ definition: IntentDefinition) async -> String? {
        do {
            _ = try await self.post(definition)
            return nil
        } catch {
            #expect(error is any TransientError, "\(error)")
            return "\(error)"
        }
    }

    private static let both: JSONObject = [
        "caFile": "ca.pem", "certificateFile": "client.pem", "keyFile": "client.key",
    ]

    @Test("With both certificates it posts; a definition without them does not share that connection")
    func postsWithPrivateCAAndClientCertificate() async throws {
        let certificates = try await self.makeCertificates()
        try await TestTLSServer.run(certificates) { port in
            let good = try self.definition(certificates, port: port, tls: Self.both)
            #expect(good.missingSecrets.isEmpty && good.warnings.isEmpty)
            // The server has one connection at a time: the second post goes over the first one's.
            for _ in 1...2 {
                #expect(try await self.post(good) == HandlerResponse(code: "success", details: ["order": "o-7"]))
            }
            let without: JSONValue = [
                "name": "OrderLemonade",
                "handler": [
                    "http": [
                        "url": .string("https://127.0.0.1:\(port)/"), "timeout": "PT1S",
                        "tls": ["caFile": .string(certificates.directory.file("ca.pem"))],
                    ]
                ],
            ]
            let bare = try #require(DefinitionFile(without).definitions.first)
            #expect(await self.failure(bare) != nil)
        }
    }

    @Test(
        "A TLS failure says which certificate was refused and why",
        arguments: [
            // Another CA than the service's; the system's CAs; no client certificate; a stranger's; another name.
            ("other-ca", "client", "127.0.0.1", "not accepted by caFile", "self-signed certificate"),
            (nil, "client", "127.0.0.1", "not accepted by the system's certificates", "self-signed certificate"),
            ("ca", nil, "127.0.0.1", "it requires a client certificate", "certificate required"),
            ("ca", "stranger", "127.0.0.1", "it does not accept certificateFile", "unknown ca"),
            ("ca", "client", "localhost", "not accepted by caFile", "localhost"),
        ] as [(String?, String?, String, String, String)]
    )
    func reportsWhichCertificateIsRefused(ca: String?, client: String?, host: String, who: String, why: String)
        async throws
    {
        let certificates = try await self.makeCertificates()
        var tls: JSONObject = [:]
        tls["caFile"] = ca.map { .string("\($0).pem") }
        tls["certificateFile"] = client.map { .string("\($0).pem") }
        tls["keyFile"] = client.map { .string("\($0).key") }
        try await TestTLSServer.run(certificates) { port in
            let definition = try self.definition(certificates, port: port, host: host, tls: tls)
            let failure = try #require(await self.failure(definition))
            #expect(failure.contains(who) && failure.contains(why), "\(failure)")
        }
    }

    @Test("An expired server certificate is refused, and an expired client certificate is warned about")
    func refusesExpiredCertificates() async throws {
        let certificates = try await self.makeCertificates()
        try await certificates.makeCertificate("old-server", by: "ca", days: -1)
        try await certificates.makeCertificate("old-client", by: "ca", days: -1)
        try await TestTLSServer.run(certificates, certificate: "old-server") { port in
            let failure = try #require(
                await self.failure(self.definition(certificates, port: port, tls: Self.both))
            )
            #expect(failure.contains("certificate has expired"), "\(failure)")
        }
        try await TestTLSServer.run(certificates) { port in
            let tls: JSONObject = [
                "caFile": "ca.pem", "certificateFile": "old-client.pem", "keyFile": "old-client.key",
            ]
            let definition = try self.definition(certificates, port: port, tls: tls)
            let file = certificates.directory.file("old-client.pem")
            #expect(
                definition.warnings == [
                    "certificateFile \(file) has expired: a service that checks it will reject it"
                ]
            )
            let failure = try #require(await self.failure(definition))
            #expect(failure.contains("it does not accept certificateFile \(file): "), "\(failure)")
            #expect(failure.contains("certificate expired"), "\(failure)")
        }
    }

    @Test("Files that cannot be used are reported when the definition is read, each with its path")
    func reportsUnusableFilesWithPaths() async throws {
        let certificates = try await self.makeCertificates()
        try await certificates.encryptKey("client", to: "encrypted")
        try "".write(toFile: certificates.directory.file("empty"), atomically: true, encoding: .utf8)
        func problems(_ tls: JSONObject) throws -> [String] {
            try self.definition(certificates, tls: tls).missingSecrets
                .map { "\($0)".replacing(certificates.directory.path + "/", with: "") }
        }
        let path = "handler.http.tls"
        #expect(
            try problems(["caFile": "none.pem"]) == [
                "\(path).caFile: tls: caFile is none.pem, which cannot be read: name a file in PEM, relative to the "
                    + "definition's file"
            ]
        )
        #expect(try problems(["caFile": "/dev/zero"]).count == 1)
        for name in ["client.key", "empty"] {
            #expect(
                try problems(["caFile": .string(name)]) == [
                    "\(path).caFile: tls: caFile \(name) does not hold certificates in PEM"
                ]
            )
        }
        let broken = try String(contentsOfFile: certificates.directory.file("ca.pem"), encoding: .utf8)
        try (broken + broken.replacing("MII", with: "NII"))
            .write(
                toFile: certificates.directory.file("broken.pem"),
                atomically: true,
                encoding: .utf8
            )
        #expect(try problems(["caFile": "broken.pem"]).count == 1)
        let others = try problems(["certificateFile": "client.pem", "keyFile": "server.key"])
        #expect(others == ["\(path).keyFile: tls: keyFile server.key is not the key of certificateFile client.pem"])
        for name in ["encrypted.key", "client.pem"] {
            let unusable = try problems(["certificateFile": "client.pem", "keyFile": .string(name)])
            #expect(unusable.count == 1)
            #expect(unusable.first?.hasPrefix("\(path).keyFile: tls: keyFile \(name) does not hold a key") == true)
        }
        // Nothing is sent without them.
        let definition = try self.definition(certificates, tls: ["caFile": "none.pem"])
        await #expect(throws: HTTPLastingError.self) { try await self.post(definition) }
    }
}
