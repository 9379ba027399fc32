/// When a test that may hang is ended.
///
/// It is no bound of speed: tests share as many threads as there are cores, and one that awaits thousands of answers
/// waits for a thread as often.
package enum HangLimit {
    /// Many times what the longest test takes.
    package static let minutes = 10
}
