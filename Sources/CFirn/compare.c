#include "kernels.h"

// Each vector kernel is a function from one chunk of elements to as many bits, driven over whole mask words. The
// last, partial chunk is read once more from its far end (overlapping what was read before), so that nothing beyond n
// is touched; only columns shorter than a chunk need the scalar loop.

#define FIRN_PORTABLE_MASK(matches) \
  for (long word = 0; word < 4; word++) { \
    long start = word * 64, count = n - start < 64 ? n - start : 64; \
    uint64_t bits = 0; \
    for (long k = 0; k < count; k++) { \
      __typeof__(*values) x = values[start + k]; \
      bits |= (uint64_t)(matches) << k; \
    } \
    mask[word] = bits; \
  }

#define FIRN_VECTOR_MASK(chunk, chunkBits, matches) \
  mask[0] = mask[1] = mask[2] = mask[3] = 0; \
  long i = 0; \
  for (; i + 64 <= n; i += 64) { \
    uint64_t bits = 0; \
    _Pragma("clang loop unroll(full)") for (long k = 0; k < 64; k += chunk) { \
      const __typeof__(*values) *p = values + i + k; \
      bits |= (uint64_t)(chunkBits) << k; \
    } \
    mask[i >> 6] = bits; \
  } \
  long rest = n - i; \
  if (rest > 0) { \
    uint64_t bits = 0; \
    long k = 0; \
    for (; k + chunk <= rest; k += chunk) { \
      const __typeof__(*values) *p = values + i + k; \
      bits |= (uint64_t)(chunkBits) << k; \
    } \
    if (k < rest) { \
      if (n >= chunk) { \
        const __typeof__(*values) *p = values + n - chunk; \
        bits |= (uint64_t)((uint64_t)(chunkBits) >> (chunk - (rest - k))) << k; \
      } else { \
        for (; k < rest; k++) { \
          __typeof__(*values) x = values[i + k]; \
          bits |= (uint64_t)(matches) << k; \
        } \
      } \
    } \
    mask[i >> 6] = bits; \
  }

#define FIRN_RANGE_PORTABLE(suffix, T) \
  void firn_range_##suffix##_portable(const T *values, long n, T lo, T hi, uint64_t mask[4]) { \
    FIRN_PORTABLE_MASK((x >= lo) & (x <= hi)) \
  }

FIRN_RANGE_PORTABLE(u8, uint8_t)
FIRN_RANGE_PORTABLE(u16, uint16_t)
FIRN_RANGE_PORTABLE(u32, uint32_t)
FIRN_RANGE_PORTABLE(i64, int64_t)

#define FIRN_COMPARE_PORTABLE(suffix, T) \
  void firn_compare_##suffix##_portable(const T *values, long n, int32_t op, T constant, uint64_t mask[4]) { \
    switch (op) { \
      case FIRN_GREATER: FIRN_PORTABLE_MASK(x > constant) break; \
      case FIRN_GREATER_OR_EQUAL: FIRN_PORTABLE_MASK(x >= constant) break; \
      case FIRN_LESS: FIRN_PORTABLE_MASK(x < constant) break; \
      case FIRN_LESS_OR_EQUAL: FIRN_PORTABLE_MASK(x <= constant) break; \
      default: FIRN_PORTABLE_MASK(x == constant) break; \
    } \
  }

FIRN_COMPARE_PORTABLE(f64, double)
FIRN_COMPARE_PORTABLE(f32, float)

#if FIRN_AVX2

// Unsigned range: x - lo <= hi - lo, and a <= b is min(a, b) == a.

FIRN_TARGET_AVX2 FIRN_INLINE uint32_t range_bits_u8(const uint8_t *p, __m256i lo, __m256i span) {
  __m256i x = _mm256_sub_epi8(_mm256_loadu_si256((const __m256i *)p), lo);
  return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_min_epu8(x, span), x));
}

FIRN_TARGET_AVX2 FIRN_INLINE __m256i range_lanes_u16(const uint16_t *p, __m256i lo, __m256i span) {
  __m256i x = _mm256_sub_epi16(_mm256_loadu_si256((const __m256i *)p), lo);
  return _mm256_cmpeq_epi16(_mm256_min_epu16(x, span), x);
}

FIRN_TARGET_AVX2 FIRN_INLINE uint32_t range_bits_u16(const uint16_t *p, __m256i lo, __m256i span) {
  __m256i lanes = _mm256_packs_epi16(range_lanes_u16(p, lo, span), range_lanes_u16(p + 16, lo, span));
  return (uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(lanes, 0xd8));
}

FIRN_TARGET_AVX2 FIRN_INLINE uint32_t range_bits_u32(const uint32_t *p, __m256i lo, __m256i span) {
  __m256i x = _mm256_sub_epi32(_mm256_loadu_si256((const __m256i *)p), lo);
  return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_min_epu32(x, span), x)));
}

FIRN_TARGET_AVX2 FIRN_INLINE uint32_t range_bits_i64(const int64_t *p, __m256i lo, __m256i hi) {
  __m256i x = _mm256_loadu_si256((const __m256i *)p);
  __m256i outside = _mm256_or_si256(_mm256_cmpgt_epi64(lo, x), _mm256_cmpgt_epi64(x, hi));
  return (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(outside)) ^ 0xfu;
}

#define FIRN_RANGE_AVX2(suffix, T, chunk, broadcast, second) \
  FIRN_TARGET_AVX2 static void firn_range_##suffix##_avx2(const T *values, long n, T lo, T hi, uint64_t mask[4]) { \
    if (lo > hi) { \
      mask[0] = mask[1] = mask[2] = mask[3] = 0; \
      return; \
    } \
    __m256i los = broadcast(lo), seconds = broadcast(second); \
    FIRN_VECTOR_MASK(chunk, range_bits_##suffix(p, los, seconds), (x >= lo) & (x <= hi)) \
  }

FIRN_RANGE_AVX2(u8, uint8_t, 32, _mm256_set1_epi8, (uint8_t)(hi - lo))
FIRN_RANGE_AVX2(u16, uint16_t, 32, _mm256_set1_epi16, (uint16_t)(hi - lo))
FIRN_RANGE_AVX2(u32, uint32_t, 8, _mm256_set1_epi32, (uint32_t)(hi - lo))
FIRN_RANGE_AVX2(i64, int64_t, 4, _mm256_set1_epi64x, hi)

#define FIRN_COMPARE_CASES(chunk, lanes, load, compare, movemask) \
  switch (op) { \
    case FIRN_GREATER: { \
      FIRN_VECTOR_MASK(chunk, (uint32_t)movemask(compare(load(p), lanes, _CMP_GT_OQ)), x > constant) \
    } break; \
    case FIRN_GREATER_OR_EQUAL: { \
      FIRN_VECTOR_MASK(chunk, (uint32_t)movemask(compare(load(p), lanes, _CMP_GE_OQ)), x >= constant) \
    } break; \
    case FIRN_LESS: { \
      FIRN_VECTOR_MASK(chunk, (uint32_t)movemask(compare(load(p), lanes, _CMP_LT_OQ)), x < constant) \
    } break; \
    case FIRN_LESS_OR_EQUAL: { \
      FIRN_VECTOR_MASK(chunk, (uint32_t)movemask(compare(load(p), lanes, _CMP_LE_OQ)), x <= constant) \
    } break; \
    default: { \
      FIRN_VECTOR_MASK(chunk, (uint32_t)movemask(compare(load(p), lanes, _CMP_EQ_OQ)), x == constant) \
    } break; \
  }

FIRN_TARGET_AVX2 static void firn_compare_f64_avx2(
    const double *values, long n, int32_t op, double constant, uint64_t mask[4]) {
  __m256d constants = _mm256_set1_pd(constant);
  FIRN_COMPARE_CASES(4, constants, _mm256_loadu_pd, _mm256_cmp_pd, _mm256_movemask_pd)
}

FIRN_TARGET_AVX2 static void firn_compare_f32_avx2(
    const float *values, long n, int32_t op, float constant, uint64_t mask[4]) {
  __m256 constants = _mm256_set1_ps(constant);
  FIRN_COMPARE_CASES(8, constants, _mm256_loadu_ps, _mm256_cmp_ps, _mm256_movemask_ps)
}

#endif

FIRN_DISPATCH(
    void, firn_range_u8, (const uint8_t *values, long n, uint8_t lo, uint8_t hi, uint64_t mask[4]),
    (values, n, lo, hi, mask))
FIRN_DISPATCH(
    void, firn_range_u16, (const uint16_t *values, long n, uint16_t lo, uint16_t hi, uint64_t mask[4]),
    (values, n, lo, hi, mask))
FIRN_DISPATCH(
    void, firn_range_u32, (const uint32_t *values, long n, uint32_t lo, uint32_t hi, uint64_t mask[4]),
    (values, n, lo, hi, mask))
FIRN_DISPATCH(
    void, firn_range_i64, (const int64_t *values, long n, int64_t lo, int64_t hi, uint64_t mask[4]),
    (values, n, lo, hi, mask))
FIRN_DISPATCH(
    void, firn_compare_f64, (const double *values, long n, int32_t op, double constant, uint64_t mask[4]),
    (values, n, op, constant, mask))
FIRN_DISPATCH(
    void, firn_compare_f32, (const float *values, long n, int32_t op, float constant, uint64_t mask[4]),
    (values, n, op, constant, mask))
