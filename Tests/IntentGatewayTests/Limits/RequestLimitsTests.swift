import IntentEvents
import Synchronization
import Testing

@testable import IntentGateway

@Suite("R85g: Requests are limited by user and by client, in a second and at a time")
struct RequestLimitsTests {
    private func limits(_ change: (inout RequestLimits.Configuration) -> Void = { _ in }) -> RequestLimits {
        var configuration = RequestLimits.Configuration()
        configuration.user = .init(perSecond: 2, concurrent: 3)
        configuration.client = .init(perSecond: 5, concurrent: 4)
        change(&configuration)
        let start = ContinuousClock.now
        let offset = self.offset
        return RequestLimits(configuration) { start + offset.value.withLock(\.self) }
    }

    private final class Offset: Sendable {
        let value = Mutex(Duration.zero)
    }

    private let offset = Offset()

    private func admitted(_ limits: RequestLimits, _ user: UserID, _ client: String? = nil) -> RequestLimits.Limit? {
        do throws(RequestLimits.Exceeded) {
            _ = try limits.admit(user: user, client: client)
            return nil
        } catch {
            #expect(error.retryAfter >= 1)
            return error.limit
        }
    }

    @Test("A user has twice the rate in a burst, and then the rate")
    func limitsRate() {
        let limits = self.limits()
        for _ in 0..<4 { #expect(self.admitted(limits, "anna") == nil) }
        #expect(self.admitted(limits, "anna") == .userRate)
        #expect(self.admitted(limits, "bob") == nil)
        self.offset.value.withLock { $0 += .milliseconds(500) }
        #expect(self.admitted(limits, "anna") == nil)
        #expect(self.admitted(limits, "anna") == .userRate)
        self.offset.value.withLock { $0 += .seconds(100) }
        for _ in 0..<4 { #expect(self.admitted(limits, "anna") == nil) }
        #expect(self.admitted(limits, "anna") == .userRate)
    }

    @Test("A request counts as open until its lease is released")
    func limitsConcurrency() throws {
        let limits = self.limits()
        var leases = try (0..<3).map { _ in try limits.admit(user: "anna", client: nil) }
        #expect(self.admitted(limits, "anna") == .userConcurrency)
        leases.removeLast()
        #expect(self.admitted(limits, "anna") == nil)
        withExtendedLifetime(leases) {}
    }

    @Test("A client is limited for all its users together, and a refused request counts for neither")
    func limitsClients() throws {
        let limits = self.limits()
        let leases = try ["a", "b", "c", "d"].map { try limits.admit(user: UserID($0), client: "app") }
        for _ in 0..<10 { #expect(self.admitted(limits, "e", "app") == .clientConcurrency) }
        #expect(self.admitted(limits, "e", "other") == nil)
        withExtendedLifetime(leases) {}
        let many = self.limits()
        for index in 0..<10 { #expect(self.admitted(many, UserID("u\(index)"), "app") == nil) }
        #expect(self.admitted(many, "x", "app") == .clientRate)
    }

    @Test("The tables are bounded: idle entries are forgotten, and users beyond the bound share one")
    func boundsTables() {
        let limits = self.limits { $0.entries = 10 }
        for index in 0..<1_000 { _ = self.admitted(limits, UserID("u\(index)")) }
        #expect(limits.entryCount <= 11)
        #expect(self.admitted(limits, "new") == .userRate)
        self.offset.value.withLock { $0 += .seconds(3) }
        #expect(self.admitted(limits, "newer") == nil)
        #expect(limits.entryCount <= 3)
    }
}
