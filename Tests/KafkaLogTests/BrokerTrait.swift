import Testing

/// Gives a suite's tests one shared embedded broker.
struct BrokerTrait: SuiteTrait, TestScoping {
    /// The broker's address, within a suite with this trait.
    @TaskLocal static var address = ""

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        test.isSuite ? self : nil
    }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await TestBroker.with { broker in
            try await Self.$address.withValue(broker.address) {
                try await function()
            }
        }
    }
}

extension Trait where Self == BrokerTrait {
    /// One embedded broker for the whole suite.
    static var embeddedBroker: Self { Self() }
}
