internal import CCrashMarks

/// Where a process crashed: what a core would show first, for when there is none.
struct CrashSite: Hashable, CustomStringConvertible {
    /// The address that the processor's signal names; nil for other signals.
    var address: UInt64?
    /// The instruction that ran; nil where it is not known.
    var instruction: UInt64?
    /// Its offset in the program, as `addr2line` takes it; negative, or beyond the program, for one in a library.
    var offset: Int64?
    var thread: UInt64
    var threadName: String

    /// Reads it from a mark file; nil when the file has none.
    init?(_ file: UnsafeRawBufferPointer, behind count: UInt64) {
        guard count <= UInt64(file.count) else { return nil }
        let start = crash_marks_detail_offset(count)
        guard start + MemoryLayout<crash_marks_detail>.size <= file.count else { return nil }
        let detail = file.loadUnaligned(fromByteOffset: start, as: crash_marks_detail.self)
        guard detail.thread != 0 || detail.instruction != 0 else { return nil }
        self.address = detail.address == 0 ? nil : detail.address
        self.instruction = detail.instruction == 0 ? nil : detail.instruction
        if detail.instruction != 0, detail.program != 0 {
            self.offset = Int64(bitPattern: detail.instruction &- detail.program)
        }
        self.thread = detail.thread
        self.threadName = withUnsafeBytes(of: detail.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// Instruction, offset, address and thread.
    var description: String {
        func hex(_ number: UInt64) -> String { "0x" + String(number, radix: 16) }
        var parts: [String] = []
        if let instruction {
            let location = self.offset.map { " (program \($0 < 0 ? "-" : "+")\(hex($0.magnitude)))" } ?? ""
            parts.append("instruction \(hex(instruction))\(location)")
        }
        if let address { parts.append("address \(hex(address))") }
        parts.append("thread \(self.thread) \(SafeText.line(self.threadName))")
        return parts.joined(separator: ", ")
    }
}
