import type { Tenant } from 'mneme/plugin'
import type { Import } from '../job.ts'
import { importFiles } from '../queries/imports.ts'

/** Opens an import's file from a byte on. Reading ends with the signal's reason once it is aborted. */
export function fileOf(tenant: Tenant, { id, size }: Import, signal: AbortSignal) {
  return async function* (start: number): AsyncGenerator<Uint8Array> {
    for await (const bytes of importFiles.read(tenant, id, { start, end: size })) {
      signal.throwIfAborted()
      yield bytes
    }
  }
}
