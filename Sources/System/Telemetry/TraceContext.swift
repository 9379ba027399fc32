/// A span and its trace, as W3C's Trace Context names them in `traceparent` and `tracestate`.
package struct TraceContext: Hashable, Sendable {
    /// The header with ids and flags.
    package static let parentHeader = "traceparent"
    /// The header with what tracing systems keep for themselves.
    package static let stateHeader = "tracestate"
    /// The flag of a trace that is recorded.
    private static let sampledFlag: UInt8 = 1

    package let trace: TraceID
    /// The span; never zero.
    package let span: UInt64
    package let flags: UInt8
    /// What tracing systems keep for themselves; nil for nothing.
    package let state: String?

    /// Makes a context of ids that this program has chosen; nil for the ids that stand for nothing.
    package init?(trace: TraceID?, span: UInt64, isSampled: Bool, state: String? = nil) {
        guard let trace, span != 0 else { return nil }
        self.trace = trace
        self.span = span
        self.flags = isSampled ? Self.sampledFlag : 0
        self.state = state
    }

    /// Reads the headers of a message; nil if there is no valid `traceparent`.
    package init?(headers: [String: String]) {
        guard !headers.isEmpty, let parent = headers[Self.parentHeader] else { return nil }
        self.init(parent: parent, state: headers[Self.stateHeader])
    }

    /// Reads `version-trace-span-flags`, in hexadecimal digits of lower case.
    ///
    /// A later version may have more after these four parts.
    package init?(parent: String, state: String? = nil) {
        var parent = parent
        let read = parent.withUTF8 { bytes -> (trace: TraceID, span: UInt64, flags: UInt8)? in
            let dash = UInt8(ascii: "-")
            guard bytes.count >= 55, bytes[2] == dash, bytes[35] == dash, bytes[52] == dash,
                let version = HexDigits.number(bytes[0..<2]), version != 0xFF,
                let high = HexDigits.number(bytes[3..<19]), let low = HexDigits.number(bytes[19..<35]),
                let span = HexDigits.number(bytes[36..<52]), let flags = HexDigits.number(bytes[53..<55]),
                let trace = TraceID(high: high, low: low), span != 0
            else { return nil }
            guard bytes.count == 55 || version > 0 && bytes[55] == dash else { return nil }
            return (trace, span, UInt8(flags))
        }
        guard let read else { return nil }
        (self.trace, self.span, self.flags) = read
        self.state = state
    }

    package var isSampled: Bool { self.flags & Self.sampledFlag != 0 }

    /// `traceparent`.
    package var parent: String {
        "00-\(self.trace.text)-\(HexDigits.text(self.span))-\(HexDigits.text(self.flags))"
    }

    /// Another span of the same trace.
    package func child(_ span: UInt64) -> TraceContext? {
        TraceContext(trace: self.trace, span: span, isSampled: self.isSampled, state: self.state)
    }

    /// The headers that name it.
    package var headers: [String: String] {
        var headers = [Self.parentHeader: self.parent]
        headers[Self.stateHeader] = self.state
        return headers
    }
}
