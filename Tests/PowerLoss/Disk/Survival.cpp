#include "Survival.h"

#include <algorithm>

namespace power_loss {

namespace {

/// Calls `body` with each change that counts and the number of each sector that it touches below `size`.
template <typename Body>
void forEachSector(const FileData &file, std::uint64_t size, Moment upTo, Body body) {
  for (const auto &change : file.changes) {
    if (change.moment > upTo) break;
    std::uint64_t end = std::min(change.end(), size);
    for (std::uint64_t sector = change.offset / sectorByteCount; sector * sectorByteCount < end; ++sector) {
      body(change, sector);
    }
  }
}

}  // namespace

Bytes survivingContent(const FileData &file, std::uint64_t size, Moment upTo, const LastChange &lastChange) {
  std::map<std::uint64_t, std::vector<Moment>> moments;
  forEachSector(file, size, upTo, [&](const ContentChange &change, std::uint64_t sector) {
    moments[sector].push_back(change.moment);
  });
  std::map<std::uint64_t, Moment> last;
  for (const auto &[sector, momentsOfSector] : moments) last[sector] = lastChange(momentsOfSector);
  Bytes content = file.durable;
  content.resize(size);
  forEachSector(file, size, upTo, [&](const ContentChange &change, std::uint64_t sector) {
    if (change.moment > last[sector]) return;
    change.apply(content, sector * sectorByteCount, (sector + 1) * sectorByteCount);
  });
  return content;
}

}  // namespace power_loss
