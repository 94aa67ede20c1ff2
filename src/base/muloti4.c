/* SPDX-License-Identifier: MIT */
/* Clang before 16 calls this function of compiler-rt on aarch64 for
 * __builtin_mul_overflow of __int128. GCC's library, with which it links there,
 * does not have it. The build takes this file where a program would not link
 * without it. */

__int128 __muloti4(__int128 a, __int128 b, int *overflow);

__int128 __muloti4(__int128 a, __int128 b, int *overflow)
{
    const __int128 least = (__int128)((unsigned __int128)1 << 127);
    const __int128 product =
        (__int128)((unsigned __int128)a * (unsigned __int128)b);
    /* The quotient least / -1 would overflow. */
    if (a == -1)
        *overflow = b == least;
    else
        *overflow = a != 0 && product / a != b;
    return product;
}
