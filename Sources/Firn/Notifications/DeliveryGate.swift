internal import Synchronization

/// Says whether an observer may be called just now. While it is closed, what changes is merged and waits.
///
/// Closed and opened on any thread; looked at where the observer is called.
@usableFromInline
package final class DeliveryGate: Sendable {
  private let state: Atomic<Bool>

  package init(isOpen: Bool) { state = Atomic(isOpen) }

  package var isOpen: Bool { state.load(ordering: .acquiring) }

  package func open() { state.store(true, ordering: .releasing) }

  package func close() { state.store(false, ordering: .releasing) }
}

extension NotificationToken {
  /// To be called after the observer's gate was opened: what has waited is delivered soon, where the observer belongs. An
  /// observer that is still on its way there finds the gate open.
  package func resume() {
    guard let (instance, observer) = active else { return }
    if instance.isConfinedHere, let observer = observer as? DataObserver {
      instance.notifications?.resume(observer)
      return
    }
    let (number, waiting) = (instance.number, Handover(observer))
    _ = instance.confinement.schedule { [weak store = instance.store] in
      let observers = store?.openRealm(number)?.notifications
      switch waiting.value {
      case let observer as DataObserver: observers?.resume(observer)
      case let observer as RealmObserver: observers?.resume(observer)
      default: break
      }
    }
  }
}
