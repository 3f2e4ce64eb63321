import type { Layer, Priority, Source, Status } from './words.ts'

/** A stored memory. Times are instants; `text` is exactly what the caller sent. */
export interface MemoryRecord {
  readonly id: string
  readonly workspaceId: string
  readonly text: string
  readonly userId: string
  readonly agentId: string | null
  readonly sessionId: string | null
  readonly priority: Priority
  readonly status: Status
  readonly categories: readonly string[]
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly layer: Layer
  readonly expiresAt: Date | null
  readonly source: Source
  /** The revision grows with each change of content; a job that carries an older one is stale. */
  readonly revision: number
  readonly consolidatedInto: string | null
  /** When the text was changed last; null where it is that of the creation. */
  readonly textChangedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}
