#include "Machine.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace power_loss {

Machine::Machine(std::uint64_t seed, std::uint64_t firstID) : disk_(std::make_shared<Disk>(firstID)), random_(seed) {}

// MARK: Operations

void Machine::requirePower() const {
  if (!hasPower()) throw Failure{EIO};
}

bool Machine::isDue(const std::optional<std::uint64_t> &moment, std::uint64_t count) const {
  return moment && count >= *moment;
}

NodeReference Machine::node(std::uint64_t id) {
  requirePower();
  auto node = disk_->known(id);
  // The kernel knows it from before the power went.
  if (!node) throw Failure{ESTALE};
  return node;
}

void Machine::begin(const char *operation, const Node &node, pid_t caller) {
  requirePower();
  ++counts_.operations;
  auto what = std::string(operation) + " '" + node.name + "', operation " + std::to_string(counts_.operations);
  if (isDue(faults.powerLossAtOperation, counts_.operations)) {
    losePower(what, caller);
    throw Failure{EIO};
  }
  if (isDue(faults.failureAtOperation, counts_.operations)) {
    faults.failureAtOperation.reset();
    lastFault_ = what;
    throw Failure{EIO};
  }
}

void Machine::claimRoom(const Node &file, std::uint64_t size) {
  auto now = Disk::blockByteCount(file.file.shown.size()), then = Disk::blockByteCount(size);
  if (then <= now || disk_->usedByteCount() + (then - now) <= faults.byteCountMax) return;
  ++counts_.refusalsForRoom;
  throw Failure{ENOSPC};
}

void Machine::claimRoomForName() {
  if (disk_->usedByteCount() <= faults.byteCountMax) return;
  ++counts_.refusalsForRoom;
  throw Failure{ENOSPC};
}

void Machine::write(Node &file, std::uint64_t offset, std::span<const std::uint8_t> bytes) {
  try {
    claimRoom(file, offset + bytes.size());
  } catch (const Failure &) {
    if (faults.losesWritesWithoutRoom) return;
    throw;
  }
  disk_->write(file, offset, bytes);
}

void Machine::read(const NodeReference &file, std::uint64_t offset, std::uint64_t byteCount) {
  ++counts_.reads;
  auto first = offset / sectorByteCount, end = (offset + byteCount + sectorByteCount - 1) / sectorByteCount;
  auto &unreadable = file->file.unreadableSectors;
  if (isDue(faults.failureAtRead, counts_.reads) && byteCount > 0) {
    faults.failureAtRead.reset();
    auto sector = first + random_.below(end - first);
    lastFault_ = "read '" + file->name + "' at " + std::to_string(sector * sectorByteCount);
    if (!faults.readFailureStays) throw Failure{EIO};
    unreadable.insert(sector);
  }
  auto found = unreadable.lower_bound(first);
  if (found != unreadable.end() && *found < end) throw Failure{EIO};
}

Machine::Sync Machine::beginSync(const NodeReference &node, pid_t caller) {
  requirePower();
  ++counts_.operations;
  ++counts_.syncs;
  Sync sync{node, disk_->now(), faults.shortestSync, caller, false, false};
  auto spread = static_cast<std::uint64_t>((faults.longestSync - faults.shortestSync).count());
  sync.duration += std::chrono::microseconds(random_.below(spread + 1));
  sync.losesPower = isDue(faults.powerLossAtOperation, counts_.operations);
  if (sync.losesPower && random_.chance(0.5)) {
    losePower("before sync of '" + node->name + "', operation " + std::to_string(counts_.operations), caller);
    throw Failure{EIO};
  }
  if (node->isFile() && isDue(faults.failureAtSync, counts_.syncs)) {
    faults.failureAtSync.reset();
    sync.fails = true;
  }
  return sync;
}

void Machine::endSync(const Sync &sync) {
  requirePower();
  if (sync.fails) {
    lastFault_ = "sync of '" + sync.node->name + "'";
    Disk::failToSynchronize(*sync.node, sync.upTo, random_);
    throw Failure{EIO};
  }
  bool lies = random_.chance(sync.node->isFolder() ? faults.lyingFolderSyncs : faults.lyingFileSyncs);
  if (!lies) Disk::synchronize(*sync.node, sync.upTo);
  if (sync.losesPower) {
    losePower("after sync of '" + sync.node->name + "'", sync.caller);
    throw Failure{EIO};
  }
}

// MARK: Power

void Machine::losePower(const std::string &operation, pid_t caller) {
  if (!hasPower()) return;
  lastFault_ = operation;
  // Before anything is refused, so that none of the processes lives to see it.
  pid_t group = caller > 0 ? getpgid(caller) : -1;
  if (group > 0 && group != getpgrp()) kill(-group, SIGKILL);
  stopped_ = disk_;
  hasPower_ = false;
}

void Machine::keep(const std::string &name) {
  kept_[name] = stopped_;
}

bool Machine::start(const Image &image, const std::optional<std::string> &kept) {
  auto source = stopped_;
  if (kept) {
    auto found = kept_.find(*kept);
    source = found == kept_.end() ? nullptr : found->second;
  }
  if (!source) return false;
  disk_ = makeImage(*source, image, std::max(disk_->nextID(), source->nextID()));
  hasPower_ = true;
  counts_ = {};
  lastFault_.clear();
  faults.powerLossAtOperation.reset();
  faults.failureAtOperation.reset();
  faults.failureAtSync.reset();
  faults.failureAtRead.reset();
  return true;
}

static void healAll(Node &node) {
  node.file.unreadableSectors.clear();
  for (const auto &entry : node.folder.shown) healAll(*entry.second);
}

void Machine::heal() {
  faults.failureAtOperation.reset();
  faults.failureAtSync.reset();
  faults.failureAtRead.reset();
  healAll(*disk_->root());
}

}  // namespace power_loss
