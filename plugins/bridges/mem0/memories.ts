import type { Memory } from '../service.ts'

/** A memory as mem0 shows it, under both names that its answers have for the run. */
export function toMem0({ metadata, ...memory }: Memory) {
  const { app_id: appId = null, ...own } = metadata ?? {}
  return {
    id: memory.id,
    memory: memory.memory,
    user_id: memory.user_id,
    agent_id: memory.agent_id,
    app_id: appId,
    run_id: memory.session_id,
    session_id: memory.session_id,
    metadata: metadata && Object.keys(own).length > 0 ? own : null,
    categories: memory.categories,
    created_at: memory.created_at,
    updated_at: memory.updated_at,
    expiration_date: memory.expires_at ? lastDayBefore(memory.expires_at) : null,
    ...(memory.score === undefined ? {} : { score: memory.score }),
  }
}

export interface Owner {
  readonly user_id?: string
  readonly agent_id?: string
  readonly app_id?: string
  readonly run_id?: string
}

/** The fields that a memory of mem0 is stored with here. */
export function toOwner({ user_id, agent_id, run_id }: Owner) {
  return {
    ...(user_id === undefined ? {} : { user_id }),
    ...(agent_id === undefined ? {} : { agent_id }),
    ...(run_id === undefined ? {} : { session_id: run_id }),
  }
}

const DAY_MS = 24 * 60 * 60 * 1000

/** A memory of mem0 is there until its day has passed. */
export function endOfDay(date: string): string {
  const start = Date.parse(date)
  return Number.isNaN(start) ? date : new Date(start + DAY_MS).toISOString()
}

function lastDayBefore(instant: string): string {
  return new Date(Date.parse(instant) - 1).toISOString().slice(0, 10)
}

/** Reads a time of mem0: seconds since 1970, or ISO 8601. */
export function toInstant(timestamp: number | string): string {
  const seconds = Number(timestamp)
  return Number.isFinite(seconds) ? new Date(seconds * 1000).toISOString() : String(timestamp)
}
