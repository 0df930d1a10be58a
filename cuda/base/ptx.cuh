/* SPDX-License-Identifier: MIT
 *
 * ptx.cuh - instructions for which CUDA C++ has no function. Its include guard has a name, because tests that run
 * kernels on the CPU define that name and bring functions of their own instead.
 */
#ifndef TC_PTX_CUH
#define TC_PTX_CUH

/* The number of the multiprocessor on which the block runs. */
static __device__ inline unsigned processor_here(void)
{
    unsigned processor;
    asm("mov.u32 %0, %%smid;" : "=r"(processor));
    return processor;
}

/* Adds one to *counter. A thread that reads the new value with load_acquire() sees all that was written before. */
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
