/// Where turns that run are marked, for the next process to find (R56).
///
/// Marking costs a few stores: nothing here waits, allocates or calls the operating system.
package protocol CrashMarks: Sendable {
    /// How many marks there is room for.
    var capacity: Int { get }

    /// Marks what runs in a place; nil when nothing does any more. A place has one user at a time.
    func set(_ mark: TurnMark?, at index: Int)

    /// Forgets what was counted against turns that have been committed.
    ///
    /// Not waited for: what is remembered of a committed turn does no harm, and whoever is given its partition next
    /// forgets it.
    func forget(_ places: [TurnPlace])

    /// Returns when what was forgotten before is forgotten for the next process as well.
    func settle() async
}
