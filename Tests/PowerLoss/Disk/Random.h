#pragma once

#include <cstdint>
#include <random>

namespace power_loss {

/// Chance from a seed, the same with every standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// A number below `bound`, which is at least 1.
  std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }

  bool chance(double probability) {
    return static_cast<double>(engine_() >> 11) / 9007199254740992.0 < probability;
  }

  /// One of several values.
  template <typename Value>
  Value pick(std::initializer_list<Value> values) {
    return *(values.begin() + below(values.size()));
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace power_loss
