// Must compile: Scripts/check-imports. As a type the name is ambiguous where both modules are imported, unless it is
// imported by name.
import Firn
import Foundation

import struct Firn.SortDescriptor

func ordered(_ events: Results<Event>, by orders: [SortDescriptor]) -> Results<Event> { events.sorted(by: orders) }

func reversed(_ order: Firn.SortDescriptor) -> SortDescriptor { order.reversed() }
