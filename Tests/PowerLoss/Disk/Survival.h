#pragma once

#include <functional>
#include <span>

#include "Node.h"

namespace power_loss {

/// Says which of the changes of a sector is the last one that the disk has: the moment of one of those given, or an
/// earlier one for none of them.
using LastChange = std::function<Moment(std::span<const Moment>)>;

/// The content of a file when the disk has some of the changes that were not synchronized.
///
/// - Parameters:
///   - size: How long the file is.
///   - upTo: Later changes are not looked at.
///   - lastChange: Asked for each sector that was changed.
Bytes survivingContent(const FileData &file, std::uint64_t size, Moment upTo, const LastChange &lastChange);

}  // namespace power_loss
