/* SPDX-License-Identifier: MIT
 *
 * ptx.cuh - what there is an instruction for and no function in CUDA C++.
 */
#ifndef TC_PTX_CUH
#define TC_PTX_CUH

/* The processor on which the block runs. */
static __device__ inline unsigned processor_here(void)
{
    unsigned processor;
    asm("mov.u32 %0, %%smid;" : "=r"(processor));
    return processor;
}

/* One more, after all that was written before is seen by who reads it with load_acquire(). */
static __device__ inline void count_release(unsigned *counter)
{
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" : : "l"(counter) : "memory");
}

static __device__ inline unsigned load_acquire(const unsigned *counter)
{
    unsigned seen;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(counter) : "memory");
    return seen;
}

#endif
