#pragma once

#define FUSE_USE_VERSION 34
#include <fuse3/fuse_lowlevel.h>

namespace power_loss {

/// The functions that the kernel calls. Their user data is a `SharedMachine`.
fuse_lowlevel_ops fileSystemOperations();

}  // namespace power_loss
