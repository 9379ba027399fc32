internal import Telemetry
internal import Tracing

/// The bytes of an `ExportTraceServiceRequest` (`opentelemetry/proto/collector/trace/v1`).
package struct OTLPEncoding: Sendable {
    /// The flag of a span or link that says whether its context came from another process.
    private static let knowsRemote: UInt32 = 0x100
    private static let isRemote: UInt32 = 0x200

    /// What every span of this process shares, such as `service.name`.
    package let resource: [String: String]
    /// The version of the program.
    package let version: String

    package init(resource: [String: String], version: String) {
        self.resource = resource
        self.version = version
    }

    package func request(_ spans: some Sequence<SpanRecord>) -> [UInt8] {
        var writer = ProtobufWriter()
        writer.message(1) { resourceSpans in
            resourceSpans.message(1) { resource in
                for (name, value) in self.resource.sorted(by: { $0.key < $1.key }) {
                    Self.write(name, .string(value), as: 1, to: &resource)
                }
            }
            resourceSpans.message(2) { scopeSpans in
                scopeSpans.message(1) { scope in
                    scope.text(1, "intentd")
                    scope.text(2, self.version)
                }
                for span in spans { scopeSpans.message(2) { Self.write(span, to: &$0) } }
            }
        }
        return writer.bytes
    }

    private static func write(_ span: SpanRecord, to writer: inout ProtobufWriter) {
        self.write(span.context, to: &writer)
        if let parent = span.parent { writer.data(4, self.bytes(parent.span)) }
        writer.text(5, span.name)
        writer.varint(6, self.number(of: span.kind))
        writer.fixed64(7, span.start)
        writer.fixed64(8, span.end)
        self.write(span.attributes, as: 9, to: &writer)
        for event in span.events {
            writer.message(11) { writer in
                writer.fixed64(1, event.nanosecondsSinceEpoch)
                writer.text(2, event.name)
                self.write(event.attributes, as: 3, to: &writer)
            }
        }
        for link in span.links {
            writer.message(13) { writer in
                self.write(link.spanContext.context, to: &writer)
                self.write(link.attributes, as: 4, to: &writer)
                writer.fixed32(6, self.flags(of: link.spanContext.context, isRemote: link.spanContext.isRemote))
            }
        }
        if let status = span.status {
            writer.message(15) { writer in
                if let message = status.message { writer.text(2, message) }
                writer.varint(3, status.code == .ok ? 1 : 2)
            }
        }
        writer.fixed32(16, self.flags(of: span.context, isRemote: span.parent?.isRemote ?? false))
    }

    /// Writes the fields that a span and a link have at the same numbers.
    private static func write(_ context: TraceContext, to writer: inout ProtobufWriter) {
        writer.data(1, self.bytes(context.trace.high) + self.bytes(context.trace.low))
        writer.data(2, self.bytes(context.span))
        if let state = context.state { writer.text(3, state) }
    }

    private static func flags(of context: TraceContext, isRemote: Bool) -> UInt32 {
        UInt32(context.flags) | self.knowsRemote | (isRemote ? self.isRemote : 0)
    }

    private static func bytes(_ number: UInt64) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

    private static func number(of kind: SpanKind) -> UInt64 {
        switch kind {
        case .internal: 1
        case .server: 2
        case .client: 3
        case .producer: 4
        case .consumer: 5
        }
    }

    // MARK: Attributes

    private static func write(_ attributes: SpanAttributes, as field: Int, to writer: inout ProtobufWriter) {
        var sorted: [(name: String, value: SpanAttribute)] = []
        func take(_ name: String, _ value: SpanAttribute) { sorted.append((name, value)) }
        attributes.forEach(take)
        sorted.sort { $0.name < $1.name }
        for (name, value) in sorted { self.write(name, value, as: field, to: &writer) }
    }

    private static func write(_ name: String, _ value: SpanAttribute, as field: Int, to writer: inout ProtobufWriter) {
        writer.message(field) { pair in
            pair.text(1, name)
            pair.message(2) { self.write(value, to: &$0) }
        }
    }

    /// Writes an `AnyValue`.
    private static func write(_ value: SpanAttribute, to writer: inout ProtobufWriter) {
        func list(_ values: some Sequence<SpanAttribute>) {
            writer.message(5) { list in for value in values { list.message(1) { self.write(value, to: &$0) } } }
        }
        switch value {
        case .string(let text): writer.text(1, text)
        case .stringConvertible(let convertible): writer.text(1, "\(convertible)")
        case .bool(let flag): writer.varint(2, flag ? 1 : 0)
        case .int32(let number): writer.varint(3, UInt64(bitPattern: Int64(number)))
        case .int64(let number): writer.varint(3, UInt64(bitPattern: number))
        case .double(let number): writer.fixed64(4, number.bitPattern)
        case .stringArray(let texts): list(texts.lazy.map { .string($0) })
        case .stringConvertibleArray(let convertibles): list(convertibles.lazy.map { .stringConvertible($0) })
        case .boolArray(let flags): list(flags.lazy.map { .bool($0) })
        case .int32Array(let numbers): list(numbers.lazy.map { .int32($0) })
        case .int64Array(let numbers): list(numbers.lazy.map { .int64($0) })
        case .doubleArray(let numbers): list(numbers.lazy.map { .double($0) })
        default: writer.text(1, "\(value)")
        }
    }
}
