/// Whether an intent's type is being described: only then do wrappers keep the declarations at their properties.
///
/// Every initializer of a structure runs the initial values of its properties, including the compiler's own
/// `init(from:)`. Without this, each turn would make all declarations again.
enum IntentDescribing {
    /// Whether a prototype is being made.
    @TaskLocal static var isActive = false
}
