import { readlinkSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'

/** A thread with so much more of Linux's nice value gets about a third of what another one gets while both compute. */
const NICE_STEP = 5

/**
 * Lets the thread that serves requests, and a database on the same machine, go before the calling thread wherever processors are short.
 * For worker threads that compute for long; what nobody competes with takes as long as before. Only Linux has a priority for each
 * thread: elsewhere, and where the system refuses it, nothing changes.
 */
export function lowerThreadPriority(): void {
  try {
    // "4128/task/4140": the numbers of the process and of the thread, which takes the place of a process's in `setpriority`.
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread, Math.min(constants.priority.PRIORITY_LOW, getPriority(thread) + NICE_STEP))
  } catch {
    // The thread works all the same.
  }
}
