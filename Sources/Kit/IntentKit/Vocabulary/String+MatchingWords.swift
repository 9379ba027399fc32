extension String {
    /// The words of the text without case and accents: runs of letters and digits.
    package var matchingWords: Set<String> {
        Set(self.split { !$0.isLetter && !$0.isNumber }.map { String($0).matchingKey })
    }
}
