/** Holds what a process of a run has taken, with all that it started. */
export interface ProcessUsage {
  readonly name: string
  /** User and system time, in seconds. */
  readonly processorSeconds: number
  /** The memory of the largest of these processes. */
  readonly memoryMbMax: number
}

/** @param child one that has ended */
export function usageOf(name: string, child: Bun.Subprocess): ProcessUsage {
  const usage = child.resourceUsage()
  return {
    name,
    processorSeconds: Number(usage?.cpuTime.total ?? 0) / 1e6,
    memoryMbMax: (usage?.maxRSS ?? 0) / 1e6,
  }
}
