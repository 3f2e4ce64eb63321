import type { Database } from '../db/database.ts'
import type { Logger } from '../log.ts'
import type { Chore } from '../plugin.ts'
import { isCurrent } from './key-registry.ts'
import type { KeyRing } from './key-ring.ts'

/** Notices that the key of this process was retired while it runs, so that it seals nothing that nobody could open later. */
export interface KeyWatch {
  isRetired(): boolean
  readonly chore: Chore
}

/** A process may go on sealing under a retired key for so long; such values are opened by naming that key again. */
const EVERY_MS = 30_000

export function createKeyWatch(database: Database, ring: KeyRing, log: Logger): KeyWatch {
  let retired = false
  return {
    isRetired: () => retired,
    chore: {
      name: 'encryption-key',
      everyMs: EVERY_MS,
      atStop: false,
      async run() {
        if (retired || (await isCurrent(database, ring))) return
        retired = true
        log.error('ENCRYPTION_KEY was changed and everything sealed again: start this process with the current one')
      },
    },
  }
}
