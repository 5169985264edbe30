#ifndef CFIRN_KERNELS_H
#define CFIRN_KERNELS_H

#include <string.h>

#include "CFirn.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define FIRN_AVX2 1
#define FIRN_TARGET_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt")))
#endif

#define FIRN_INLINE static inline __attribute__((always_inline))

/// Set once before `main`.
extern bool firn_has_avx2;

/// Defines the exported `name`, which forwards to the AVX2 or the portable variant.
#if FIRN_AVX2
#define FIRN_DISPATCH(result, name, parameters, arguments) \
  result name parameters { return firn_has_avx2 ? name##_avx2 arguments : name##_portable arguments; }
#else
#define FIRN_DISPATCH(result, name, parameters, arguments) \
  result name parameters { return name##_portable arguments; }
#endif

#endif
