// SPDX-License-Identifier: MIT
// The destination of a block's exact float sums, both those of its windows and
// those of the slow path.
#pragma once

#include "kernels/reduce/slow_path.cuh"

// The destination of one of a block's sums. APART: see deposit. ALONE: each
// warp adds its own sum, without the block.
template <enum dtype D, int MAP, bool APART, bool ALONE> struct destination {
    typedef storage_of<D> S;
    static constexpr int limbs = limbs_of<D, MAP>;
    struct shared_type {
        warp_limbs<limbs> of_warps;
        struct block_sums<WINDOWS_MAX> sums;
    };
    static constexpr int lsb = exact_layout(D, (enum exact_map)MAP).lsb;

    // Not a pointer to the sum: two destinations share the register.
    struct gpu_result *result;
    struct shared_type *shared;

    DEVICE destination(struct gpu_result *result_, struct shared_type *shared_)
        : result(result_), shared(shared_)
    {
        shared->of_warps.open();
    }

    DEVICE struct gpu_sum *out() const
    {
        return &result->sum[MAP];
    }

    DEVICE int64_t *limb() const
    {
        return sum_of_block<limbs>(out());
    }

    // Adds the values of all threads; their positions count from 2^0.
    //
    // APART is for kernels whose loop has no register to spare: it calls code
    // outside the kernel. Both sums then reach 0.83 of the read-only bandwidth
    // for f64, 0.81 for f16 and 0.73 for bf16; inline, they reached 0.73 or
    // 0.81, 0.77 and 0.66.
    template <int N> DEVICE void deposit(struct portions<N> p) const
    {
#pragma unroll
        for (int i = 0; i < N; i++)
            p.position[i] -= lsb;
        if constexpr (ALONE)
            warp_deposit(limb(), p);
        else if constexpr (APART)
            block_deposit_apart(limb(), p, &shared->sums);
        else
            block_deposit(limb(), p, &shared->sums);
    }

    template <int VECTORS> DEVICE void slow_path(const S *data, int present)
    {
        slow_path_tile<D, MAP, VECTORS>(data, present, out(),
                                        shared->of_warps.mine(), lsb);
    }

    DEVICE void one(S bits)
    {
        to_limbs<D, MAP>(bits, out(), lsb);
    }

    // Ends the sum, after a barrier. The thread that counts is in a warp
    // without limbs to deposit or, if ALONE, is such a lane.
    DEVICE void finish(bool not_negative_zero)
    {
        if (not_negative_zero &&
            (ALONE ? threadIdx.x % 32 == 31 : threadIdx.x == 32))
            add_global((uint64_t *)limb() + limbs, 1);
        if constexpr (ALONE)
            shared->of_warps.flush_warp(limb());
        else
            shared->of_warps.flush(limb());
    }
};

// The second destination of an accumulator with one sum: does nothing.
struct nowhere {
    struct shared_type {
    };
    DEVICE nowhere(struct gpu_result *, shared_type *)
    {
    }
    template <int> DEVICE void slow_path(const void *, int)
    {
    }
    DEVICE void one(uint64_t)
    {
    }
    DEVICE void finish(bool)
    {
    }
};
