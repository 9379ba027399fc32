/// A service's answer.
package struct HTTPReply: Sendable {
    /// The status.
    package var status: Int
    /// The body.
    package var body: [UInt8]
}
