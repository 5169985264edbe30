// Must compile: Scripts/check-imports. Both modules have a Logger; importing it by name says which one is meant.
import Firn
import Logging

import struct Logging.Logger

func log(_ event: Event) { Logger(label: "events").info("An event.", metadata: ["id": "\(event.id)"]) }
