/** A process that has begun nothing yet ends at once. */
const SIGNALS = ['SIGTERM', 'SIGINT'] as const
const end = (): never => process.exit(0)

/**
 * Ends the process on a signal for as long as its modules are loaded, which takes a second or more. The kernel of the system drops signals to
 * process 1 of a container that nobody handles, so that one would be killed after its time to stop.
 */
export function endOnSignals(): void {
  for (const signal of SIGNALS) process.on(signal, end)
}

/** Leaves signals to whoever handles them from here on, or to the system. */
export function leaveSignals(): void {
  for (const signal of SIGNALS) process.off(signal, end)
}
