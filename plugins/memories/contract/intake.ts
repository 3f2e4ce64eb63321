import { type AppError, defineExtensionPoint, type Tenant, type Wiring } from 'mneme/plugin'
import type { Priority, Source } from './words.ts'

/** A memory that is about to be stored. */
export interface IncomingMemory {
  readonly operation: 'create' | 'update'
  /** The memory that is updated; undefined for a new one. */
  readonly id: string | undefined
  readonly text: string
  /** Undefined where an update leaves them as they are. */
  readonly categories: readonly string[] | undefined
  readonly metadata: Readonly<Record<string, unknown>> | null | undefined
  readonly priority: Priority | undefined
  /** Undefined for an update, which cannot change them. */
  readonly userId: string | undefined
  readonly agentId: string | null | undefined
  readonly sessionId: string | null | undefined
  readonly source: Source | undefined
}

/** What is stored instead; what is left out stays as it came. */
export interface IntakeChange {
  readonly text?: string
  readonly categories?: readonly string[]
  readonly metadata?: Readonly<Record<string, unknown>> | null
}

/** Undefined stores the memory as it is. `refuse` is an error of the plugin's own registry with the status 400 or 422. */
export type IntakeVerdict = { readonly change: IntakeChange } | { readonly refuse: AppError } | undefined

/**
 * Looks at memories before they are stored, whichever way they come in, and changes or refuses them. Hooks run in the order in
 * which plugins are set up, each on what the one before left. A hook that fails or takes too long stores nothing: the request is
 * answered with 503.
 */
export interface MemoryIntakeHook {
  readonly id: string
  /** Codes that it refuses with; they stand with the routes in the reference. */
  readonly errors?: readonly string[]
  /** For a whole batch. Default {@link INTAKE_MS}, at most {@link INTAKE_MS_MAX}. */
  readonly timeLimitMs?: number
  /** One verdict for each memory, in the order given. Called outside of any transaction; it may be called again for the same memory. */
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

/** Codes that hooks of other plugins refuse a memory with. */
export function intakeErrors(wiring: Wiring): string[] {
  return wiring.extensions(memoryIntake).flatMap(({ errors = [] }) => errors)
}
