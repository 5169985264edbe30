// Must compile: Scripts/check-imports. `SortDescriptor` is the one of Firn.
import Firn
import Foundation

func foundationsOwn() -> Foundation.SortDescriptor<String> { Foundation.SortDescriptor(\.count) }
