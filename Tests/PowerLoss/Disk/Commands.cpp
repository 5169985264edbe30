#include "Commands.h"

#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>

namespace power_loss {

namespace {

using Words = std::istringstream;

template <typename Value>
Value next(Words &words) {
  Value value;
  if (!(words >> value)) throw std::invalid_argument("a word is missing or is no number");
  return value;
}

/// The count at which something is due that is to happen at the n-th time from now; never for 0.
std::optional<std::uint64_t> due(std::uint64_t count, std::uint64_t n) {
  return n == 0 ? std::nullopt : std::optional(count + n);
}

void reset(SharedMachine &shared, Words &words) {
  // The ids go on, as the kernel may still know nodes of the disk before.
  auto firstID = shared.machine->disk().nextID();
  shared.machine = std::make_unique<Machine>(next<std::uint64_t>(words), firstID);
}

void losePowerAt(SharedMachine &shared, Words &words) {
  auto &machine = *shared.machine;
  machine.faults.powerLossAtOperation = due(machine.counts().operations, next<std::uint64_t>(words));
}

void losePower(SharedMachine &shared, Words &) { shared.machine->losePower("on command", 0); }

void start(SharedMachine &shared, Words &words) {
  auto kind = imageKind(next<std::string>(words));
  if (!kind) throw std::invalid_argument("there is no such kind of image");
  Image image{*kind, next<double>(words), next<std::uint64_t>(words), next<int>(words) != 0};
  std::optional<std::string> kept;
  if (std::string name; words >> name) kept = name;
  if (!shared.machine->start(image, kept)) throw std::invalid_argument("there is no disk to start with");
}

void keep(SharedMachine &shared, Words &words) { shared.machine->keep(next<std::string>(words)); }

void fail(SharedMachine &shared, Words &words) {
  auto &machine = *shared.machine;
  auto kind = next<std::string>(words);
  auto n = next<std::uint64_t>(words);
  if (kind == "operation") {
    machine.faults.failureAtOperation = due(machine.counts().operations, n);
  } else if (kind == "sync") {
    machine.faults.failureAtSync = due(machine.counts().syncs, n);
  } else if (kind == "read") {
    machine.faults.failureAtRead = due(machine.counts().reads, n);
    machine.faults.readFailureStays = next<std::string>(words) == "always";
  } else {
    throw std::invalid_argument("there is no such failure");
  }
}

void heal(SharedMachine &shared, Words &) { shared.machine->heal(); }

void room(SharedMachine &shared, Words &words) {
  auto &machine = *shared.machine;
  auto count = next<std::int64_t>(words);
  machine.faults.byteCountMax = count < 0 ? Faults().byteCountMax : machine.disk().usedByteCount() + count;
}

void syncTakes(SharedMachine &shared, Words &words) {
  auto &faults = shared.machine->faults;
  faults.shortestSync = std::chrono::microseconds(next<unsigned>(words));
  faults.longestSync = std::max(faults.shortestSync, std::chrono::microseconds(next<unsigned>(words)));
}

void lie(SharedMachine &shared, Words &words) {
  auto &faults = shared.machine->faults;
  auto what = next<std::string>(words);
  if (what == "file") {
    faults.lyingFileSyncs = next<double>(words);
  } else if (what == "folder") {
    faults.lyingFolderSyncs = next<double>(words);
  } else if (what == "room") {
    faults.losesWritesWithoutRoom = true;
  } else {
    throw std::invalid_argument("there is no such lie");
  }
}

std::string state(Machine &machine) {
  const auto &counts = machine.counts();
  std::ostringstream text;
  text << "{\"hasPower\": " << (machine.hasPower() ? "true" : "false") << ", \"operations\": " << counts.operations
       << ", \"syncs\": " << counts.syncs << ", \"reads\": " << counts.reads
       << ", \"refusalsForRoom\": " << counts.refusalsForRoom
       << ", \"usedByteCount\": " << machine.disk().usedByteCount() << ", \"lastFault\": \"" << machine.lastFault()
       << "\"}";
  return text.str();
}

using Command = std::function<void(SharedMachine &, Words &)>;

const std::map<std::string, Command> commands = {
    {"reset", reset}, {"lose-power-at", losePowerAt}, {"lose-power", losePower},
    {"start", start}, {"keep", keep},                 {"fail", fail},
    {"heal", heal},   {"room", room},                 {"sync-takes", syncTakes},
    {"lie", lie},     {"state", [](SharedMachine &, Words &) {}},
};

}  // namespace

std::string answer(SharedMachine &shared, const std::string &line) {
  std::lock_guard guard(shared.mutex);
  Words words(line);
  std::string name;
  words >> name;
  auto command = commands.find(name);
  if (command == commands.end()) return "{\"error\": \"there is no such command\"}";
  try {
    command->second(shared, words);
  } catch (const std::invalid_argument &error) {
    return std::string("{\"error\": \"") + error.what() + "\"}";
  }
  return state(*shared.machine);
}

}  // namespace power_loss
