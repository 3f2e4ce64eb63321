import { type AppError, defineExtensionPoint, type Tenant, type Wiring } from 'mneme/plugin'
import type { Priority, Source } from './words.ts'

/** A memory that is about to be stored. */
export interface IncomingMemory {
  readonly operation: 'create' | 'update'
  /** The id of the updated memory; undefined for a new one. */
  readonly id: string | undefined
  readonly text: string
  /** These are undefined where an update leaves them unchanged. */
  readonly categories: readonly string[] | undefined
  readonly metadata: Readonly<Record<string, unknown>> | null | undefined
  readonly priority: Priority | undefined
  /** These are undefined for an update, which cannot change them. */
  readonly userId: string | undefined
  readonly agentId: string | null | undefined
  readonly sessionId: string | null | undefined
  readonly source: Source | undefined
}

/** Replacement values; an omitted field stays as it was sent. */
export interface IntakeChange {
  readonly text?: string
  readonly categories?: readonly string[]
  readonly metadata?: Readonly<Record<string, unknown>> | null
}

/** Undefined stores the memory unchanged. `refuse` carries an error of the plugin's own registry with the status 400 or 422. */
export type IntakeVerdict = { readonly change: IntakeChange } | { readonly refuse: AppError } | undefined

/**
 * Reviews memories from every source before they are stored, and changes or refuses them. Hooks run in the order in which plugins are set
 * up, each on the result of the previous one. If a hook fails or times out, nothing is stored and the request is answered with 503.
 */
export interface MemoryIntakeHook {
  readonly id: string
  /** Error codes the hook refuses with; the reference lists them with the routes. */
  readonly errors?: readonly string[]
  /** The limit applies to a whole batch. It defaults to {@link INTAKE_MS} and is capped at {@link INTAKE_MS_MAX}. */
  readonly timeLimitMs?: number
  /** Returns one verdict per memory, in the order given. It is called outside any transaction and may see the same memory again. */
  review(
    tenant: Tenant,
    memories: readonly IncomingMemory[],
    signal: AbortSignal,
  ): Promise<readonly IntakeVerdict[]> | readonly IntakeVerdict[]
}

export const INTAKE_MS = 2000
export const INTAKE_MS_MAX = 10_000

export const memoryIntake = defineExtensionPoint<MemoryIntakeHook>('memories.intake', {
  members: { id: 'string', review: 'function' },
})

/** Collects the error codes with which hooks of other plugins refuse a memory. */
export function intakeErrors(wiring: Wiring): string[] {
  return wiring.extensions(memoryIntake).flatMap(({ errors = [] }) => errors)
}
