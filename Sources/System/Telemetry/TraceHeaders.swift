internal import Instrumentation

/// Reads and writes trace contexts in headers, for tracers.
package struct TraceHeaders: Extractor, Injector {
    /// Reads and writes headers.
    package init() {}

    /// A header's value.
    package func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }

    /// Sets a header.
    package func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) {
        carrier[key] = value
    }
}
