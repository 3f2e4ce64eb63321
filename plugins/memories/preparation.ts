import type { Tenant } from 'mneme/plugin'
import { type MemoryText, memoryWriteHooks, type PreparedWrites } from './contract.ts'
import type { MemoryServices } from './scope.ts'

/** Lets every hook prepare its part in the write of these memories. Outside of any transaction: long texts take a while. */
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

/** What a hook prepared, for its part inside the transaction. */
export function preparedFor(writes: PreparedWrites, hookId: string): ReadonlyMap<string, unknown> {
  return writes.get(hookId) ?? NOTHING
}

const NOTHING: ReadonlyMap<string, unknown> = new Map()
