internal import Foundation

/// Writes text to a file descriptor that the process has from its start.
package enum OutputDescriptor {
    /// Writes the whole text; blocks while a pipe is full.
    ///
    /// - Returns: nil, or the `errno` of the write that failed; what follows it is not written.
    package static func write(_ text: String, to descriptor: Int32) -> Int32? {
        var text = text
        return text.withUTF8 { bytes -> Int32? in
            var rest = UnsafeRawBufferPointer(bytes)
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
}
