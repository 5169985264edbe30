// Must compile: Scripts/check-imports. No name of Firn's hides one of the other module.
import Firn
import Logging

func log(_ event: Event) { Logger(label: "events").info("An event.", metadata: ["id": "\(event.id)"]) }
