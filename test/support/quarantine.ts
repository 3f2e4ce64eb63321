import { Registry } from 'prom-client'
import type { Database } from '../../core/db/database.ts'
import { createLog } from '../../core/log.ts'
import { createQuarantine, type Quarantine } from '../../core/quarantine/quarantine.ts'

/** The kernel's own, for parts of a plugin that are tested without the kernel. */
export function quarantineOf(
  plugin: string,
  database: Database,
  now?: () => number,
  registry = new Registry(),
): Quarantine {
  return createQuarantine({ database, log: createLog('silent'), registry, ...(now ? { now } : {}) })(plugin)
}
