import Foundation

/// `openssl s_server` on the loopback interface, which asks every client for a certificate.
///
/// It answers each post with `{"order":"o-7"}`, and serves one connection at a time.
enum TestTLSServer {
    private struct Failure: Error {}

    private static let answer =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n{\"order\":\"o-7\"}"

    /// Runs the body with the port of a server.
    static func run(
        _ certificates: TestCertificates,
        certificate: String = "server",
        clients authority: String = "ca",
        _ body: (Int) async throws -> Void
    ) async throws {
        let process = certificates.process(
            "s_server -accept 127.0.0.1:0 -cert \(certificate).pem -key \(certificate).key "
                + "-Verify 1 -verify_return_error -CAfile \(authority).pem"
        )
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        let (said, saying) = AsyncStream<String>.makeStream()
        output.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            saying.yield(String(decoding: data, as: UTF8.self))
            guard data.isEmpty else { return }
            handle.readabilityHandler = nil
            saying.finish()
        }
        let (ended, ending) = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in ending.finish() }
        try process.run()
        let (ports, listening) = AsyncStream<Int>.makeStream()
        let answering = Task {
            await Self.serve(said, listening) { input.fileHandleForWriting.write(Data(Self.answer.utf8)) }
        }
        let result: Result<Void, any Error>
        do {
            guard let port = await ports.first(where: { _ in true }) else { throw Failure() }
            result = .success(try await body(port))
        } catch {
            result = .failure(error)
        }
        // Milder signals are blocked in what is started from one of dispatch's threads.
        kill(process.processIdentifier, SIGKILL)
        for await _ in ended {}
        // The pipe's end may not come: others that were started meanwhile may hold it open.
        output.fileHandleForReading.readabilityHandler = nil
        saying.finish()
        await answering.value
        try result.get()
    }

    /// Finds the port and the posts in the program's output.
    private static func serve(
        _ said: AsyncStream<String>,
        _ ports: AsyncStream<Int>.Continuation,
        answer: () -> Void
    ) async {
        var text = ""
        for await part in said {
            text += part
            if let match = text.firstMatch(of: /ACCEPT 127\.0\.0\.1:(\d+)/), let port = Int(match.1) {
                ports.yield(port)
                ports.finish()
            }
            while let rest = Self.behindPost(in: text) {
                text = rest
                answer()
            }
        }
        ports.finish()
    }

    /// The text after the first complete post.
    private static func behindPost(in text: String) -> String? {
        let lines = text.replacing("\r\n", with: "\n")
        guard let start = lines.range(of: "POST "),
            let end = lines.range(of: "\n\n", range: start.upperBound..<lines.endIndex),
            let length = lines[start.lowerBound..<end.lowerBound].firstMatch(of: /Content-Length: (\d+)/),
            let count = Int(length.1), lines[end.upperBound...].utf8.count >= count
        else { return nil }
        return String(lines[end.upperBound...].utf8.dropFirst(count))
    }
}
