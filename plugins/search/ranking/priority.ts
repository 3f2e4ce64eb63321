import type { Priority } from '../../memories/contract.ts'

const PRIORITY_SIGNAL: Readonly<Record<Priority, number>> = { LOW: -1, MEDIUM: 0, HIGH: 1 }

/** Maps the priority that the writer set to −1, 0 or 1. */
export function prioritySignal(priority: Priority): number {
  return PRIORITY_SIGNAL[priority]
}
