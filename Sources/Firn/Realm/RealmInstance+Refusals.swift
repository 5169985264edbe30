internal import FirnEngine

/// Where and when a realm may be written, and what is said when it may not. The messages are made out of line.
extension RealmInstance {
  func checkCanWrite(_ site: CallSite?) {
    checkMayWrite(site)
    if writer != nil {
      Self.trap(
        site,
        "The Realm is already in a write transaction (database \(store.configuration.name)). Transactions do not nest: do "
          + "both in one block, and ask isInWriteTransaction where a function is called in and outside of one.")
    }
    if notifications?.isMoving == true {
      Self.trap(
        site,
        "A block for the keys of sections wrote to the Realm that it is called for (database "
          + "\(store.configuration.name)). It may read only: write where the sections are observed, or by asyncWrite.")
    }
  }

  /// Traps unless this is a place where the realm may be written.
  func checkMayWrite(_ site: CallSite?) {
    if isFrozen {
      Self.trap(
        site,
        "Can't perform transactions on a frozen Realm (database \(store.configuration.name)). Write on the realm of thaw()."
      )
    }
    if store.configuration.readOnly {
      Self.trap(
        site,
        "Can't perform transactions on read-only Realms (database \(store.configuration.name)). Open it without "
          + "Configuration.readOnly.")
    }
    if isBlockOver {
      Self.trap(
        site,
        "The realm of a write block was used for writing after the block had returned (database "
          + "\(store.configuration.name)). Write in another block of RealmStore.write, with the realm that it is given."
      )
    }
    checkPlace("database \(store.configuration.name)", site)
  }

  /// Traps unless the realm may be written, observed and refreshed here. `subject` is for the message.
  func checkPlace(_ subject: @autoclosure () -> String, _ site: CallSite?) {
    if !confinement.allowsMutationHere(owner: owner) { trapForPlace(subject(), site) }
  }

  /// Traps in the wrong place.
  @inline(never)
  func trapForPlace(_ subject: String, _ site: CallSite? = nil) -> Never {
    let place = "it belongs to \(confinement.owningPlace), and this is \(Confinement.placeHere)"
    switch confinement {
    case .actor, .unbound:
      // These cannot tell where they are but by their transaction, which belongs to a thread.
      Self.trap(
        site,
        "Realm accessed from incorrect thread (\(subject)): \(place), while a transaction runs on another thread. A task "
          + "must not suspend inside a write transaction: use asyncWrite or RealmStore.write.")
    case .mainThread, .thread, .queue, .writeBlock, .frozen:
      let isOfQueue = if case .queue = confinement { true } else { false }
      Self.trap(
        site,
        "Realm accessed from incorrect \(isOfQueue ? "queue or " : "")thread (\(subject)): \(place). Go there to write, "
          + "observe or refresh; or open a realm here with Realm(configuration:) and look the object up in it. "
          + "RealmStore.write can be called everywhere.")
    }
  }

  /// Traps for what needs a transaction that is not there.
  @inline(never)
  func trapOutsideOfTransaction(_ attempt: WriteAttempt) -> Never {
    if case .writeBlock = confinement {
      Self.trap(
        attempt.site,
        "\(attempt.rule) (\(attempt.subject)): it is of a block of RealmStore.write that has ended. Look it up again in "
          + "the realm of the block that writes it, with object(ofType:forPrimaryKey:); objects do not go from one block "
          + "to the next.")
    }
    Self.trap(
      attempt.site,
      "\(attempt.rule) (\(attempt.subject)). Do it in the block of write, asyncWrite or RealmStore.write, or between "
        + "beginWrite and commitWrite.")
  }

  /// Ends the process with a message, and with the place in the user's code if it is known.
  @inline(never)
  static func trap(_ site: CallSite?, _ message: String) -> Never {
    if let site { fatalError(message, file: site.file, line: site.line) }
    fatalError(message)
  }
}
