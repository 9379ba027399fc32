internal import LibCrypto
package import Telemetry

extension TraceContext {
    /// The context of a trace that begins with the event at a position, since its client has sent none (R66).
    ///
    /// The span is the first one, `interaction`.
    ///
    /// - Parameters:
    ///   - deployment: The deployment's random id.
    ///   - position: The position of the interaction's request, `partition:offset`, or the event's own one.
    package init(deployment: String, position: String) {
        var text = "\(deployment)|trace|\(position)"
        let words = text.withUTF8 { SHA256.digest(UnsafeRawBufferPointer($0)) }.numbers
        // No input is known that has 16 bytes of zeros in its digest.
        self.init(trace: TraceID(high: words.0, low: words.1), span: words.2, isSampled: true)!
    }
}
