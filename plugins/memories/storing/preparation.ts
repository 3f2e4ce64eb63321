import type { Tenant } from 'mneme/plugin'
import { type MemoryText, memoryWriteHooks, type PreparedWrites } from '../contract.ts'
import type { MemoryServices } from '../scope.ts'

/** Runs `prepare` of every write hook. Call it outside any transaction, because long texts take a while. */
export async function prepareWrites(
  { wiring }: Pick<MemoryServices, 'wiring'>,
  tenant: Tenant,
  memories: readonly MemoryText[],
): Promise<PreparedWrites> {
  const prepared = new Map<string, ReadonlyMap<string, unknown>>()
  if (memories.length === 0) return prepared
  for (const hook of wiring.extensions(memoryWriteHooks)) {
    if (hook.prepare) prepared.set(hook.id, await hook.prepare(tenant, memories))
  }
  return prepared
}

/** Returns the results of one hook's `prepare`. */
export function preparedFor(writes: PreparedWrites, hookId: string): ReadonlyMap<string, unknown> {
  return writes.get(hookId) ?? NOTHING
}

const NOTHING: ReadonlyMap<string, unknown> = new Map()
