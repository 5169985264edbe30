package import FirnEngine

extension Version {
  /// The content, for tests, which see to it that the version is held or that nobody commits. In the library nothing
  /// but a scope gives it: see ``withContents(_:)``.
  package var contents: GraphContents { withContents { $0 } }
}
