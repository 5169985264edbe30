#include "kernels.h"

// Searching for a needle: compare the first and the last byte of 32 positions at a time and look closer only where
// both agree (the "generic SIMD" algorithm of W. Mula, http://0x80.pl/articles/simd-strfind.html).

FIRN_INLINE uint64_t load8(const uint8_t *p) {
  uint64_t word;
  memcpy(&word, p, 8);
  return word;
}

/// The needle, prepared for comparing it at many places of an arena.
typedef struct {
  const uint8_t *bytes;
  long count;
  /// The first and the last eight bytes; for a shorter needle, its bytes in the top of `last`.
  uint64_t first, last;
  /// How far eight bytes that end with the needle have to be shifted left to drop what comes before it.
  int drop;
} Needle;

FIRN_INLINE Needle prepare(const void *bytes, long count) {
  Needle needle = {bytes, count, 0, 0, 0};
  if (count >= 8) {
    needle.first = load8(bytes);
    needle.last = load8((const uint8_t *)bytes + count - 8);
  } else if (count > 0) {
    uint8_t top[8] = {0};
    memcpy(top + 8 - count, bytes, (unsigned long)count);
    needle.last = load8(top);
    needle.drop = (int)(8 * (8 - count));
  }
  return needle;
}

/// Whether the needle stands at p. Reads up to 8 bytes before p, and none after the needle's last byte.
FIRN_INLINE bool stands_at(const Needle *needle, const uint8_t *p) {
  long count = needle->count;
  if (count < 8) {
    if (count == 0) return true;
    // Little-endian: the bytes before p are the low ones.
    return (load8(p + count - 8) >> needle->drop) == (needle->last >> needle->drop);
  }
  if (load8(p) != needle->first || load8(p + count - 8) != needle->last) return false;
  return count <= 16 || memcmp(p + 8, needle->bytes + 8, (unsigned long)(count - 16)) == 0;
}

FIRN_INLINE void set_first(uint64_t mask[4], long n) {
  for (long word = 0; word < 4; word++) {
    long count = n - word * 64;
    mask[word] = count >= 64 ? ~0ull : count <= 0 ? 0 : (1ull << count) - 1;
  }
}

// ---- first occurrence ----

/// First occurrence at a position >= from, or -1.
FIRN_INLINE long find_from_scalar(const uint8_t *hay, long count, const uint8_t *needle, long m, long from) {
  long last = count - m;
  while (from <= last) {
    const uint8_t *hit = memchr(hay + from, needle[0], (unsigned long)(last - from + 1));
    if (hit == 0) return -1;
    if (hit[m - 1] == needle[m - 1] && memcmp(hit, needle, (unsigned long)m) == 0) return hit - hay;
    from = hit - hay + 1;
  }
  return -1;
}

long firn_find_portable(const void *haystack, long haystackCount, const void *needle, long needleCount) {
  if (needleCount == 0) return 0;
  return find_from_scalar(haystack, haystackCount, needle, needleCount, 0);
}

#if FIRN_AVX2

/// Bit k: the first and the last byte of the needle stand at their places for position p + k.
FIRN_TARGET_AVX2 FIRN_INLINE uint32_t candidates(const uint8_t *p, long m, __m256i first, __m256i last) {
  __m256i a = _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)p), first);
  __m256i b = _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)(p + m - 1)), last);
  return (uint32_t)_mm256_movemask_epi8(_mm256_and_si256(a, b));
}

FIRN_TARGET_AVX2 static long firn_find_avx2(
    const void *haystack, long haystackCount, const void *needleBytes, long m) {
  if (m == 0) return 0;
  const uint8_t *hay = haystack, *needle = needleBytes;
  long positions = haystackCount - m + 1;
  if (positions < 32) return find_from_scalar(hay, haystackCount, needle, m, 0);
  __m256i first = _mm256_set1_epi8((char)needle[0]), last = _mm256_set1_epi8((char)needle[m - 1]);
  long i = 0;
  while (true) {
    uint32_t bits = candidates(hay + i, m, first, last);
    while (bits != 0) {
      long position = i + __builtin_ctz(bits);
      if (m <= 2 || memcmp(hay + position + 1, needle + 1, (unsigned long)(m - 2)) == 0) return position;
      bits &= bits - 1;
    }
    if (i == positions - 32) return -1;
    i = i + 64 <= positions ? i + 32 : positions - 32;
  }
}

#endif

FIRN_DISPATCH(
    long, firn_find, (const void *haystack, long haystackCount, const void *needle, long needleCount),
    (haystack, haystackCount, needle, needleCount))

// ---- leaves with 16-bit ends ----

/// Equality, prefix and suffix of the slots from `i` on.
FIRN_INLINE void relate16_scalar(
    const uint16_t *ends, const uint8_t *arena, long i, long n, int32_t relation, const Needle *needle,
    uint64_t mask[4]) {
  for (; i < n; i++) {
    long start = ends[i - 1], end = ends[i], m = needle->count;
    bool candidate = relation == FIRN_EQUALS ? end - start == m : end - start >= m;
    if (!candidate) continue;
    const uint8_t *p = relation == FIRN_HAS_SUFFIX ? arena + end - m : arena + start;
    if (stands_at(needle, p)) mask[i >> 6] |= 1ull << (i & 63);
  }
}

void firn_match_bytes16_portable(
    const uint16_t *ends, const void *arena, long n, int32_t relation, const void *needleBytes, long m,
    uint64_t mask[4]) {
  mask[0] = mask[1] = mask[2] = mask[3] = 0;
  if (n == 0) return;
  if (relation == FIRN_CONTAINS) {
    if (m == 0) {
      set_first(mask, n);
      return;
    }
    const uint8_t *hay = arena;
    long total = ends[n - 1], row = 0, from = 0;
    while (true) {
      long hit = find_from_scalar(hay, total, needleBytes, m, from);
      if (hit < 0) return;
      while (ends[row] <= hit) row++;
      if (hit + m <= ends[row]) {
        mask[row >> 6] |= 1ull << (row & 63);
        from = ends[row];
      } else {
        from = hit + 1;
      }
    }
  }
  Needle needle = prepare(needleBytes, m);
  relate16_scalar(ends, arena, 0, n, relation, &needle, mask);
}

#if FIRN_AVX2

FIRN_TARGET_AVX2 FIRN_INLINE __m256i length_lanes(const uint16_t *ends, __m256i m, bool atLeast) {
  __m256i starts = _mm256_loadu_si256((const __m256i *)(ends - 1));
  __m256i lengths = _mm256_sub_epi16(_mm256_loadu_si256((const __m256i *)ends), starts);
  return _mm256_cmpeq_epi16(atLeast ? _mm256_max_epu16(lengths, m) : m, lengths);
}

/// Lengths first, from the differences of the ends: few strings need a look at their bytes.
FIRN_TARGET_AVX2 FIRN_INLINE void relate16_avx2(
    const uint16_t *ends, const uint8_t *arena, long n, int32_t relation, const Needle *needle, uint64_t mask[4]) {
  __m256i m = _mm256_set1_epi16((short)needle->count);
  bool atLeast = relation != FIRN_EQUALS;
  long i = 0;
  for (; i + 32 <= n; i += 32) {
    __m256i lanes = _mm256_packs_epi16(length_lanes(ends + i, m, atLeast), length_lanes(ends + i + 16, m, atLeast));
    uint32_t bits = (uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(lanes, 0xd8));
    uint64_t hits = 0;
    while (bits != 0) {
      int k = __builtin_ctz(bits);
      bits &= bits - 1;
      const uint8_t *p =
          relation == FIRN_HAS_SUFFIX ? arena + ends[i + k] - needle->count : arena + ends[i + k - 1];
      hits |= (uint64_t)stands_at(needle, p) << k;
    }
    mask[i >> 6] |= hits << (i & 63);
  }
  relate16_scalar(ends, arena, i, n, relation, needle, mask);
}

FIRN_TARGET_AVX2 static void firn_match_bytes16_avx2(
    const uint16_t *ends, const void *arena, long n, int32_t relation, const void *needleBytes, long m,
    uint64_t mask[4]) {
  if (relation == FIRN_CONTAINS) {
    if (n == 0 || m == 0 || ends[n - 1] - m + 1 < 32) {
      firn_match_bytes16_portable(ends, arena, n, relation, needleBytes, m, mask);
      return;
    }
    mask[0] = mask[1] = mask[2] = mask[3] = 0;
    // The arena is one haystack. `next` skips the rest of a row that matched; hits across an end are dropped.
    const uint8_t *hay = arena, *needle = needleBytes;
    long positions = ends[n - 1] - m + 1, row = 0, next = 0, i = 0;
    __m256i first = _mm256_set1_epi8((char)needle[0]), last = _mm256_set1_epi8((char)needle[m - 1]);
    while (true) {
      uint32_t bits = candidates(hay + i, m, first, last);
      while (bits != 0) {
        long position = i + __builtin_ctz(bits);
        bits &= bits - 1;
        if (position < next) continue;
        if (m > 2 && memcmp(hay + position + 1, needle + 1, (unsigned long)(m - 2)) != 0) continue;
        while (ends[row] <= position) row++;
        if (position + m > ends[row]) continue;
        mask[row >> 6] |= 1ull << (row & 63);
        next = ends[row];
      }
      if (i == positions - 32) return;
      // The last block overlaps the one before: `row` is past those positions.
      if (next < i + 32) next = i + 32;
      i = i + 64 <= positions ? i + 32 : positions - 32;
    }
  }
  mask[0] = mask[1] = mask[2] = mask[3] = 0;
  if (m > UINT16_MAX) return;
  Needle needle = prepare(needleBytes, m);
  switch (relation) {
    case FIRN_EQUALS: relate16_avx2(ends, arena, n, FIRN_EQUALS, &needle, mask); break;
    case FIRN_HAS_PREFIX: relate16_avx2(ends, arena, n, FIRN_HAS_PREFIX, &needle, mask); break;
    default: relate16_avx2(ends, arena, n, FIRN_HAS_SUFFIX, &needle, mask); break;
  }
}

#endif

FIRN_DISPATCH(
    void, firn_match_bytes16,
    (const uint16_t *ends, const void *arena, long n, int32_t relation, const void *needle, long needleCount,
     uint64_t mask[4]),
    (ends, arena, n, relation, needle, needleCount, mask))

// ---- leaves with 32-bit ends ----

#define FIRN_MATCH_BYTES32(find) \
  mask[0] = mask[1] = mask[2] = mask[3] = 0; \
  const uint8_t *bytes = arena; \
  long start = 0; \
  for (long i = 0; i < n; i++) { \
    long end = ends[i] & 0x7fffffffu; \
    const uint8_t *p = bytes + start; \
    long count = end - start; \
    start = end; \
    if (ends[i] >> 31) { \
      const uint8_t *external; \
      memcpy(&external, p, sizeof external); \
      uint32_t length; \
      memcpy(&length, external + 16, 4); \
      count = length; \
      p = external + 24; \
    } \
    bool hit; \
    if (relation == FIRN_CONTAINS) { \
      hit = find(p, count, needle, m) >= 0; \
    } else if (relation == FIRN_EQUALS ? count != m : count < m) { \
      hit = false; \
    } else { \
      hit = memcmp(relation == FIRN_HAS_SUFFIX ? p + count - m : p, needle, (unsigned long)m) == 0; \
    } \
    mask[i >> 6] |= (uint64_t)hit << (i & 63); \
  }

void firn_match_bytes32_portable(
    const uint32_t *ends, const void *arena, long n, int32_t relation, const void *needle, long m, uint64_t mask[4]) {
  FIRN_MATCH_BYTES32(firn_find_portable)
}

void firn_match_bytes32(
    const uint32_t *ends, const void *arena, long n, int32_t relation, const void *needle, long m, uint64_t mask[4]) {
  FIRN_MATCH_BYTES32(firn_find)
}
