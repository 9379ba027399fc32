internal import Foundation

/// Writes to a file descriptor.
package enum OutputDescriptor {
    /// Writes the whole text; blocks while a pipe is full.
    ///
    /// - Returns: nil, or the `errno` of the write that failed; the rest of the text is not written.
    package static func write(_ text: String, to descriptor: Int32) -> Int32? {
        var text = text
        return text.withUTF8 { Self.write(UnsafeRawBufferPointer($0), to: descriptor) }
    }

    /// Writes all bytes; blocks while a pipe is full.
    ///
    /// - Returns: nil, or the `errno` of the write that failed; the remaining bytes are not written.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        bytes.withUnsafeBytes { Self.write($0, to: descriptor) }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
        var rest = bytes
        while !rest.isEmpty {
            let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
            if count >= 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                // Another process has made the terminal or the pipe that both share non-blocking.
                var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&polled, 1, -1)
            case let problem: return problem
            }
        }
        return nil
    }
}
