/// A service's answer.
package struct HTTPReply: Sendable {
    package var status: Int
    package var body: [UInt8]
}
