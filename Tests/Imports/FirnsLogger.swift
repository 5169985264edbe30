// Must compile: Scripts/check-imports. As in FirnAndLogging.swift, the other way round.
import Firn
import Logging

import class Firn.Logger

func quiet(_ event: Event) {
  Logger.shared = Logger(level: .error) { level, message in print(level, message) }
  Logging.Logger(label: "events").info("An event.", metadata: ["id": "\(event.id)"])
}
