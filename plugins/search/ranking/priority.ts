import type { Priority } from '../../memories/contract.ts'

const PRIORITY_SIGNAL: Readonly<Record<Priority, number>> = { LOW: -1, MEDIUM: 0, HIGH: 1 }

/** −1, 0 or 1: what the writer said about a memory's weight. */
export function prioritySignal(priority: Priority): number {
  return PRIORITY_SIGNAL[priority]
}
