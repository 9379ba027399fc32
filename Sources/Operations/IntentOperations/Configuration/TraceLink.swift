internal import Foundation
package import Telemetry

/// The address at which an operator's tracing tool shows a trace: `http://jaeger:16686/trace/{trace}`.
package struct TraceLink: Hashable, Sendable {
    /// The part of a template that stands for a trace's id.
    private static let placeholder = "{trace}"

    private let template: String

    /// Reads a template; nil unless it is an address of http or https with the placeholder behind its host, and without a
    /// password: pages show it.
    package init?(_ template: String) {
        guard template.hasPrefix("http://") || template.hasPrefix("https://"),
            template.contains(Self.placeholder), template.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let components = URLComponents(string: template.replacing(Self.placeholder, with: "0")),
            let host = components.host, !host.isEmpty, components.user == nil, components.password == nil,
            let start = template.range(of: "://")?.upperBound,
            !template[start...].prefix(while: { $0 != "/" && $0 != "?" && $0 != "#" }).contains(Self.placeholder)
        else { return nil }
        self.template = template
    }

    package func address(of trace: TraceContext) -> String {
        self.template.replacing(Self.placeholder, with: trace.trace.text)
    }
}
