#include "Disk.h"

#include <algorithm>
#include <cstring>

#include "Survival.h"

namespace power_loss {

void ContentChange::apply(Bytes &content, std::uint64_t from, std::uint64_t to) const {
  from = std::max(from, offset);
  to = std::min({to, end(), static_cast<std::uint64_t>(content.size())});
  if (from >= to) return;
  if (bytes.empty()) {
    std::memset(content.data() + from, 0, to - from);
  } else {
    std::memcpy(content.data() + from, bytes.data() + (from - offset), to - from);
  }
}

void NameChange::apply(Names &names) const {
  if (!removed.empty()) names.erase(removed);
  if (!added.empty()) names[added] = node;
}

Disk::Disk(std::uint64_t firstID) : nextID_(std::max(firstID, rootID + 1)) {
  root_ = std::make_shared<Node>(rootID, S_IFDIR | 0755);
  clock_gettime(CLOCK_REALTIME, &root_->modified);
  root_->nameCount = 1;
  remember(root_);
}

// MARK: Nodes that the kernel knows

void Disk::remember(const NodeReference &node) {
  ++node->lookupCount;
  known_[node->id] = node;
}

NodeReference Disk::known(std::uint64_t id) const {
  auto found = known_.find(id);
  return found == known_.end() ? nullptr : found->second;
}

void Disk::forget(std::uint64_t id, std::uint64_t lookupCount) {
  auto found = known_.find(id);
  if (found == known_.end() || id == rootID) return;
  auto &node = *found->second;
  node.lookupCount -= std::min(node.lookupCount, lookupCount);
  if (node.lookupCount == 0) known_.erase(found);
}

// MARK: Changes

NodeReference Disk::makeNode(mode_t mode) {
  auto node = std::make_shared<Node>(nextID_++, mode);
  clock_gettime(CLOCK_REALTIME, &node->modified);
  return node;
}

void Disk::change(Node &folder, NameChange change) {
  change.apply(folder.folder.shown);
  folder.folder.changes.push_back(std::move(change));
  clock_gettime(CLOCK_REALTIME, &folder.modified);
}

void Disk::addName(Node &folder, const std::string &name, const NodeReference &node) {
  node->name = name;
  ++node->nameCount;
  change(folder, {++now_, "", name, node});
}

void Disk::removeName(Node &folder, const std::string &name) {
  --folder.folder.shown.at(name)->nameCount;
  change(folder, {++now_, name, "", nullptr});
}

void Disk::rename(Node &folder, const std::string &from, const std::string &to) {
  NodeReference node = folder.folder.shown.at(from);
  auto replaced = folder.folder.shown.find(to);
  if (replaced != folder.folder.shown.end()) {
    if (replaced->second == node) return;
    --replaced->second->nameCount;
  }
  node->name = to;
  change(folder, {++now_, from, to, node});
}

void Disk::write(Node &node, std::uint64_t offset, std::span<const std::uint8_t> bytes) {
  if (bytes.empty()) return;
  auto &file = node.file;
  std::uint64_t end = offset + bytes.size();
  ++now_;
  if (end > file.shown.size()) {
    file.shown.resize(end);
    file.sizes.push_back({now_, end});
  }
  file.changes.push_back({now_, offset, bytes.size(), Bytes(bytes.begin(), bytes.end())});
  file.changes.back().apply(file.shown, offset, end);
  auto firstWhole = (offset + sectorByteCount - 1) / sectorByteCount;
  file.unreadableSectors.erase(
      file.unreadableSectors.lower_bound(firstWhole),
      file.unreadableSectors.lower_bound(std::max(firstWhole, end / sectorByteCount)));
  clock_gettime(CLOCK_REALTIME, &node.modified);
}

void Disk::resize(Node &node, std::uint64_t size) {
  auto &file = node.file;
  std::uint64_t before = file.shown.size();
  if (size == before) return;
  ++now_;
  if (size < before) file.changes.push_back({now_, size, before - size, {}});
  file.reservedEnd = std::min(file.reservedEnd, size);
  file.shown.resize(size);
  file.sizes.push_back({now_, size});
  clock_gettime(CLOCK_REALTIME, &node.modified);
}

// MARK: Becoming durable

void Disk::synchronize(Node &node, Moment upTo) {
  auto &file = node.file;
  for (; !file.sizes.empty() && file.sizes.front().moment <= upTo; file.sizes.pop_front()) {
    file.durable.resize(file.sizes.front().size);
  }
  for (; !file.changes.empty() && file.changes.front().moment <= upTo; file.changes.pop_front()) {
    auto &change = file.changes.front();
    change.apply(file.durable, change.offset, change.end());
  }
  auto &folder = node.folder;
  for (; !folder.changes.empty() && folder.changes.front().moment <= upTo; folder.changes.pop_front()) {
    folder.changes.front().apply(folder.durable);
  }
}

void Disk::failToSynchronize(Node &node, Moment upTo, Random &random) {
  auto &file = node.file;
  // The length goes with the last sector of all that is written.
  std::uint64_t size = file.durable.size();
  for (; !file.sizes.empty() && file.sizes.front().moment <= upTo; file.sizes.pop_front()) {
    size = file.sizes.front().size;
  }
  double keeping = random.pick({0.0, 0.5, 1.0});
  file.durable = survivingContent(file, size, upTo, [&](std::span<const Moment> moments) {
    return random.chance(keeping) ? moments.back() : 0;
  });
  while (!file.changes.empty() && file.changes.front().moment <= upTo) file.changes.pop_front();
  if (random.chance(0.5)) return;
  // The system has dropped what it could not write.
  file.shown = file.durable;
  if (!file.sizes.empty()) file.shown.resize(file.sizes.back().size);
  for (const auto &change : file.changes) change.apply(file.shown, change.offset, change.end());
}

static std::uint64_t usedByteCountOf(const Node &node) {
  std::uint64_t count = Disk::blockByteCount(node.file.shown.size());
  for (const auto &entry : node.folder.shown) count += usedByteCountOf(*entry.second);
  return count;
}

std::uint64_t Disk::usedByteCount() const { return usedByteCountOf(*root_); }

}  // namespace power_loss
