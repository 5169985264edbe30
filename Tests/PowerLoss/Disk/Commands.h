#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "Machine.h"

namespace power_loss {

/// A machine, and the lock that guards it: the threads of the file system and the one that takes commands share it.
struct SharedMachine {
  std::mutex mutex;
  std::unique_ptr<Machine> machine = std::make_unique<Machine>(0);
};

/// Does what a line says, and answers with a line of JSON: what is wrong with the command, or else the state of the
/// machine.
///
///     reset SEED                               an empty disk, no faults
///     lose-power-at N                          at the N-th operation from now; 0 for never
///     lose-power                               now; kills nobody
///     start KIND KEEPING SEED STALE [KEPT]     with an image: nothing, everything, prefix, random, torn
///     keep NAME                                the disk that lost the power last, for `start`
///     fail operation|sync N                    the N-th from now
///     fail read N once|always                  the N-th from now; always: the sector stays unreadable
///     heal                                     everything can be read and written again
///     room BYTES                               for so much more; -1 for any number
///     sync-takes MIN MAX                       microseconds
///     lie file|folder PROBABILITY              syncs that do nothing
///     lie room                                 writes that are lost for want of room
///     state
std::string answer(SharedMachine &shared, const std::string &line);

}  // namespace power_loss
