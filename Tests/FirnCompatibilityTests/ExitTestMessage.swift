import Foundation
import Testing

/// Whether a process that was meant to trap said why.
func trapSaid(_ text: String, _ result: ExitTest.Result?) -> Bool {
  guard let result else { return false }
  return String(decoding: result.standardErrorContent, as: UTF8.self).contains(text)
}
