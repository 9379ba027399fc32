import Foundation

/// The broker that these tests run against.
enum TestBroker {
    /// The address in `INTENTD_TEST_BROKERS`, or nil.
    static let external: String? = ProcessInfo.processInfo.environment["INTENTD_TEST_BROKERS"]
}
