/**
 * Measures the processor time that this thread spends on something, in milliseconds: unlike the time of a clock, no
 * busy machine adds to it.
 */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
