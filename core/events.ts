import type { Tx } from './db/database.ts'

/**
 * A kind of event a plugin may publish. `public` kinds can be subscribed to by webhooks and appear in the activity feed.
 * The data never carries a memory's text: subscribers read content through the owning plugin's contract, so that an
 * erasure need not chase copies.
 */
export interface EventDefinition {
  /** `noun.pastTense`, e.g. `memory.created`. */
  readonly kind: string
  readonly description: string
  readonly public: boolean
}

export interface NewEvent {
  readonly kind: string
  readonly workspaceId: string
  /** What it happened to, e.g. the memory's id. */
  readonly subjectId: string | null
  readonly userId: string | null
  /** Small and free of content. */
  readonly data: Readonly<Record<string, unknown>>
}

export interface StoredEvent extends NewEvent {
  readonly id: string
  readonly createdAt: Date
}

/** Publishing is part of the caller's transaction: event rows and subscribers' jobs commit with the domain write, or not at all. */
export interface EventPublisher {
  publish(tx: Tx, events: readonly NewEvent[]): Promise<void>
}

/** A plugin's reaction to an event, run as a job of its own with retries; must be idempotent (at least once). */
export interface Subscription<S = never> {
  readonly event: string
  /** Unique within the plugin; becomes part of the job's name. */
  readonly name: string
  handle(event: StoredEvent, scope: S): Promise<void>
}
