import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a service answered.
struct HTTPReply: Sendable {
    /// The status.
    var status: Int
    /// The body.
    var body: [UInt8]
}

/// Why a post came to no answer.
enum HTTPExchangeError: Error, Hashable, CustomStringConvertible {
    /// The address is none.
    case invalidAddress
    /// There was no answer in time.
    case timedOut(Duration)
    /// The body is larger than allowed.
    case tooLarge(maximum: Int)
    /// The connection could not be made, or broke.
    case failed(String)

    /// Whether another try may come to an answer.
    var mayPass: Bool {
        switch self {
        case .timedOut, .failed: true
        case .invalidAddress, .tooLarge: false
        }
    }

    /// What happened.
    var description: String {
        switch self {
        case .invalidAddress: "this is no address"
        case .timedOut(let time): "no answer within \(time)"
        case .tooLarge(let maximum): "the answer has more than \(maximum) bytes"
        case .failed(let message): message
        }
    }
}

/// Posts to services, with connections kept open between posts; nothing blocks, and everything can be cancelled.
struct HTTPSession: Sendable {
    /// The process's own.
    static let shared = HTTPSession()

    private let session: URLSession
    private let exchanges: HTTPExchanges

    /// Makes a session without cookies, caches or stored credentials.
    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = 64
        self.exchanges = HTTPExchanges()
        self.session = URLSession(configuration: configuration, delegate: self.exchanges, delegateQueue: nil)
    }

    /// Posts bytes and waits for the whole answer; redirections are answers, not followed.
    ///
    /// - Throws: ``HTTPExchangeError``; `CancellationError` at once when the task is cancelled.
    func post(
        _ body: [UInt8],
        to address: String,
        headers: [String: String],
        timeout: Duration,
        maximumBytes: Int
    ) async throws -> HTTPReply {
        guard let url = URL(string: address) else { throw HTTPExchangeError.invalidAddress }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data(body)
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        // The time that counts is ours; this one only keeps the library's own from being shorter.
        request.timeoutInterval = Double(timeout.components.seconds) + 60
        let task = self.session.dataTask(with: request)
        return try await withThrowingTaskGroup(of: HTTPReply.self) { group in
            group.addTask { try await self.exchanges.run(task, maximumBytes: maximumBytes) }
            group.addTask {
                try await Task.sleep(for: timeout)
                throw HTTPExchangeError.timedOut(timeout)
            }
            defer { group.cancelAll() }
            guard let reply = try await group.next() else { throw CancellationError() }
            return reply
        }
    }
}
