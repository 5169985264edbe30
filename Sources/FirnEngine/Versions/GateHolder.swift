internal import CFirn

/// Who has the writer's role: for messages, and to see when somebody would wait for itself.
package struct GateHolder: Sendable {
  let home: Home
  package let site: CallSite

  /// - Parameter home: For functions that leave the role before they return, the calling thread.
  package init(_ site: CallSite, home: Home = .thread) {
    self.site = site
    self.home = home
  }

  /// Something that can do nothing else before the role is left: whoever blocks it waits for itself.
  package struct Home: Hashable, Sendable {
    private let identity: UInt

    /// - Parameter identity: An address, or another number that nothing else has. 0 is nothing that could be compared.
    package init(_ identity: UInt) { self.identity = identity }

    /// Nothing is known.
    package static let unknown = Home(0)

    /// The calling thread, in functions that leave the role before they return.
    package static var thread: Home { Home(UInt(bitPattern: firn_thread_pointer())) }
  }

  func isWaiting(in homes: [Home]) -> Bool { home != .unknown && homes.contains(home) }
}
