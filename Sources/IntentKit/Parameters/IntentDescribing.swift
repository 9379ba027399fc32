/// Whether an intent's type is being described: only then wrappers keep what is declared at their properties.
///
/// Every initializer of a structure runs the initial values of its properties, the compiler's own `init(from:)` too: each
/// turn would make all declarations again.
enum IntentDescribing {
    /// Whether a prototype is being made.
    @TaskLocal static var isUnderWay = false
}
