internal import Instrumentation

/// Reads and writes trace contexts in headers, for tracers.
package struct TraceHeaders: Extractor, Injector {
    package init() {}

    package func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }

    package func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) {
        carrier[key] = value
    }
}
