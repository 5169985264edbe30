#pragma once

#include <stdbool.h>
#include <stdint.h>

// Counts the steps of a build that was made for it, see Scripts/count-steps: each edge between basic blocks that is taken, in Swift
// and in C, and each 64 bytes that are copied or filled. Tests of cost compare such counts instead of reading a clock.

/// Whether the build counts.
bool step_counter_is_on(void);

/// The steps that the calling thread has made so far. What libraries do is not counted but for copying.
uint64_t step_counter_count(void);
