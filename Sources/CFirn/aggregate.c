#include "kernels.h"

// The integer loops are the same C in both variants: compiled for AVX2, the compiler vectorises them well. Unselected
// elements take part as a neutral value instead of branching. Floating-point loops keep eight interleaved
// accumulators in both variants, so that the order of additions, and with it the last bit of a sum, does not depend
// on the processor.

#define FIRN_SELECTED(k) ((mask[(k) >> 6] >> ((k) & 63)) & 1)

#define FIRN_INTEGER_BODIES(suffix, T, Sum, UnsignedSum, least, greatest) \
  FIRN_INLINE Sum sum_##suffix(const T *values, long n, const uint64_t mask[4]) { \
    UnsignedSum sum = 0; \
    for (long start = 0; start < n; start += 64) { \
      uint64_t bits = mask[start >> 6]; \
      long count = n - start < 64 ? n - start : 64; \
      for (long k = 0; k < count; k++) sum += (UnsignedSum)values[start + k] & (0 - ((bits >> k) & 1)); \
    } \
    return (Sum)sum; \
  } \
  FIRN_INLINE bool minmax_##suffix(const T *values, long n, const uint64_t mask[4], T *min, T *max) { \
    T smallest = greatest, largest = least; \
    uint64_t any = 0; \
    for (long start = 0; start < n; start += 64) { \
      uint64_t bits = mask[start >> 6]; \
      long count = n - start < 64 ? n - start : 64; \
      if (count < 64) bits &= (1ull << count) - 1; \
      any |= bits; \
      for (long k = 0; k < count; k++) { \
        T x = values[start + k]; \
        bool selected = (bits >> k) & 1; \
        T low = selected ? x : greatest, high = selected ? x : least; \
        smallest = low < smallest ? low : smallest; \
        largest = high > largest ? high : largest; \
      } \
    } \
    if (any == 0) return false; \
    *min = smallest; \
    *max = largest; \
    return true; \
  }

FIRN_INTEGER_BODIES(u8, uint8_t, uint64_t, uint64_t, 0, UINT8_MAX)
FIRN_INTEGER_BODIES(u16, uint16_t, uint64_t, uint64_t, 0, UINT16_MAX)
FIRN_INTEGER_BODIES(u32, uint32_t, uint64_t, uint64_t, 0, UINT32_MAX)
FIRN_INTEGER_BODIES(i64, int64_t, int64_t, uint64_t, INT64_MIN, INT64_MAX)

#define FIRN_INTEGER_VARIANT(attributes, variant, suffix, T, Sum) \
  attributes Sum firn_sum_##suffix##variant(const T *values, long n, const uint64_t mask[4]) { \
    return sum_##suffix(values, n, mask); \
  } \
  attributes bool firn_minmax_##suffix##variant( \
      const T *values, long n, const uint64_t mask[4], T *min, T *max) { \
    return minmax_##suffix(values, n, mask, min, max); \
  }

#define FIRN_INTEGER_VARIANTS(attributes, variant) \
  FIRN_INTEGER_VARIANT(attributes, variant, u8, uint8_t, uint64_t) \
  FIRN_INTEGER_VARIANT(attributes, variant, u16, uint16_t, uint64_t) \
  FIRN_INTEGER_VARIANT(attributes, variant, u32, uint32_t, uint64_t) \
  FIRN_INTEGER_VARIANT(attributes, variant, i64, int64_t, int64_t)

FIRN_INTEGER_VARIANTS(, _portable)

FIRN_INLINE double reduce_sum(const double lanes[8]) {
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

#define FIRN_FLOATING_BODIES(suffix, T) \
  FIRN_INLINE double sum_from_##suffix(const T *values, long i, long n, const uint64_t mask[4], double lanes[8]) { \
    for (; i < n; i++) lanes[i & 7] += FIRN_SELECTED(i) ? (double)values[i] : 0.0; \
    return reduce_sum(lanes); \
  } \
  FIRN_INLINE bool minmax_from_##suffix( \
      const T *values, long i, long n, const uint64_t mask[4], T lows[8], T highs[8], bool any, T *min, T *max) { \
    for (; i < n; i++) { \
      T x = values[i]; \
      if (!FIRN_SELECTED(i) || x != x) continue; \
      any = true; \
      if (x < lows[i & 7]) lows[i & 7] = x; \
      if (x > highs[i & 7]) highs[i & 7] = x; \
    } \
    if (!any) return false; \
    for (int k = 1; k < 8; k++) { \
      if (lows[k] < lows[0]) lows[0] = lows[k]; \
      if (highs[k] > highs[0]) highs[0] = highs[k]; \
    } \
    *min = lows[0]; \
    *max = highs[0]; \
    return true; \
  } \
  double firn_sum_##suffix##_portable(const T *values, long n, const uint64_t mask[4]) { \
    double lanes[8] = {0}; \
    return sum_from_##suffix(values, 0, n, mask, lanes); \
  } \
  bool firn_minmax_##suffix##_portable(const T *values, long n, const uint64_t mask[4], T *min, T *max) { \
    T lows[8], highs[8]; \
    for (int k = 0; k < 8; k++) { \
      lows[k] = (T)__builtin_inf(); \
      highs[k] = -(T)__builtin_inf(); \
    } \
    return minmax_from_##suffix(values, 0, n, mask, lows, highs, false, min, max); \
  }

FIRN_FLOATING_BODIES(f64, double)
FIRN_FLOATING_BODIES(f32, float)

long firn_mask_count_portable(const uint64_t mask[4]) {
  return __builtin_popcountll(mask[0]) + __builtin_popcountll(mask[1]) + __builtin_popcountll(mask[2]) +
         __builtin_popcountll(mask[3]);
}

#if FIRN_AVX2

FIRN_INTEGER_VARIANTS(FIRN_TARGET_AVX2 static, _avx2)

/// All ones in lane k when bit k is set.
FIRN_TARGET_AVX2 FIRN_INLINE __m256i spread4(uint64_t bits) {
  const __m256i select = _mm256_setr_epi64x(1, 2, 4, 8);
  return _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x((long long)bits), select), select);
}

FIRN_TARGET_AVX2 FIRN_INLINE __m256i spread8(uint64_t bits) {
  const __m256i select = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)bits), select), select);
}

FIRN_TARGET_AVX2 static double firn_sum_f64_avx2(const double *values, long n, const uint64_t mask[4]) {
  __m256d even = _mm256_setzero_pd(), odd = _mm256_setzero_pd();
  long i = 0;
  for (; i + 8 <= n; i += 8) {
    uint64_t bits = mask[i >> 6] >> (i & 63);
    even = _mm256_add_pd(even, _mm256_and_pd(_mm256_loadu_pd(values + i), _mm256_castsi256_pd(spread4(bits))));
    odd = _mm256_add_pd(odd, _mm256_and_pd(_mm256_loadu_pd(values + i + 4), _mm256_castsi256_pd(spread4(bits >> 4))));
  }
  double lanes[8];
  _mm256_storeu_pd(lanes, even);
  _mm256_storeu_pd(lanes + 4, odd);
  return sum_from_f64(values, i, n, mask, lanes);
}

FIRN_TARGET_AVX2 static double firn_sum_f32_avx2(const float *values, long n, const uint64_t mask[4]) {
  __m256d even = _mm256_setzero_pd(), odd = _mm256_setzero_pd();
  long i = 0;
  for (; i + 8 <= n; i += 8) {
    uint64_t bits = mask[i >> 6] >> (i & 63);
    __m256 x = _mm256_and_ps(_mm256_loadu_ps(values + i), _mm256_castsi256_ps(spread8(bits)));
    even = _mm256_add_pd(even, _mm256_cvtps_pd(_mm256_castps256_ps128(x)));
    odd = _mm256_add_pd(odd, _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1)));
  }
  double lanes[8];
  _mm256_storeu_pd(lanes, even);
  _mm256_storeu_pd(lanes + 4, odd);
  return sum_from_f32(values, i, n, mask, lanes);
}

FIRN_TARGET_AVX2 static bool firn_minmax_f64_avx2(
    const double *values, long n, const uint64_t mask[4], double *min, double *max) {
  const __m256d infinity = _mm256_set1_pd(__builtin_inf()), negative = _mm256_set1_pd(-__builtin_inf());
  __m256d low[2] = {infinity, infinity}, high[2] = {negative, negative};
  __m256d any = _mm256_setzero_pd();
  long i = 0;
  for (; i + 8 <= n; i += 8) {
    for (int half = 0; half < 2; half++) {
      uint64_t bits = mask[i >> 6] >> ((i & 63) + 4 * half);
      __m256d x = _mm256_loadu_pd(values + i + 4 * half);
      __m256d selected = _mm256_and_pd(_mm256_castsi256_pd(spread4(bits)), _mm256_cmp_pd(x, x, _CMP_ORD_Q));
      any = _mm256_or_pd(any, selected);
      low[half] = _mm256_min_pd(_mm256_blendv_pd(infinity, x, selected), low[half]);
      high[half] = _mm256_max_pd(_mm256_blendv_pd(negative, x, selected), high[half]);
    }
  }
  double lows[8], highs[8];
  _mm256_storeu_pd(lows, low[0]);
  _mm256_storeu_pd(lows + 4, low[1]);
  _mm256_storeu_pd(highs, high[0]);
  _mm256_storeu_pd(highs + 4, high[1]);
  return minmax_from_f64(values, i, n, mask, lows, highs, _mm256_movemask_pd(any) != 0, min, max);
}

FIRN_TARGET_AVX2 static bool firn_minmax_f32_avx2(
    const float *values, long n, const uint64_t mask[4], float *min, float *max) {
  const __m256 infinity = _mm256_set1_ps(__builtin_inff()), negative = _mm256_set1_ps(-__builtin_inff());
  __m256 low = infinity, high = negative;
  __m256 any = _mm256_setzero_ps();
  long i = 0;
  for (; i + 8 <= n; i += 8) {
    __m256 x = _mm256_loadu_ps(values + i);
    __m256 selected = _mm256_and_ps(
        _mm256_castsi256_ps(spread8(mask[i >> 6] >> (i & 63))), _mm256_cmp_ps(x, x, _CMP_ORD_Q));
    any = _mm256_or_ps(any, selected);
    low = _mm256_min_ps(_mm256_blendv_ps(infinity, x, selected), low);
    high = _mm256_max_ps(_mm256_blendv_ps(negative, x, selected), high);
  }
  float lows[8], highs[8];
  _mm256_storeu_ps(lows, low);
  _mm256_storeu_ps(highs, high);
  return minmax_from_f32(values, i, n, mask, lows, highs, _mm256_movemask_ps(any) != 0, min, max);
}

FIRN_TARGET_AVX2 static long firn_mask_count_avx2(const uint64_t mask[4]) {
  return __builtin_popcountll(mask[0]) + __builtin_popcountll(mask[1]) + __builtin_popcountll(mask[2]) +
         __builtin_popcountll(mask[3]);
}

#endif

#define FIRN_AGGREGATE_DISPATCH(suffix, T, Sum) \
  FIRN_DISPATCH(Sum, firn_sum_##suffix, (const T *values, long n, const uint64_t mask[4]), (values, n, mask)) \
  FIRN_DISPATCH( \
      bool, firn_minmax_##suffix, (const T *values, long n, const uint64_t mask[4], T *min, T *max), \
      (values, n, mask, min, max))

FIRN_AGGREGATE_DISPATCH(u8, uint8_t, uint64_t)
FIRN_AGGREGATE_DISPATCH(u16, uint16_t, uint64_t)
FIRN_AGGREGATE_DISPATCH(u32, uint32_t, uint64_t)
FIRN_AGGREGATE_DISPATCH(i64, int64_t, int64_t)
FIRN_AGGREGATE_DISPATCH(f64, double, double)
FIRN_AGGREGATE_DISPATCH(f32, float, double)
FIRN_DISPATCH(long, firn_mask_count, (const uint64_t mask[4]), (mask))
