import type { TSchema } from '@sinclair/typebox'
import type { Tx } from './db/database.ts'

/**
 * A kind of event a plugin may publish. `public` kinds are told to receivers outside and appear in the activity feed.
 * The data never carries a memory's text: subscribers read content through the owning plugin's contract, so that an
 * erasure need not chase copies.
 */
export interface EventDefinition {
  /** `noun.pastTense`, e.g. `memory.created`. */
  readonly kind: string
  /** A few words for lists that people read, e.g. `Memory created`; the kind stands there when it is left out. */
  readonly label?: string
  /** One sentence. */
  readonly description: string
  readonly public: boolean
  /** Data as an event of the kind carries it. It must fit `schema`, which is checked at the start. */
  readonly example?: Readonly<Record<string, unknown>>
  /** The shape of the data. Checked at each publication where `verifyAnswers` is on, which it is in tests only. */
  readonly schema?: TSchema
}

/** A kind as the registry lists it. */
export interface EventKind extends EventDefinition {
  readonly label: string
  /** Id of the plugin that declares and publishes it. */
  readonly owner: string
  /** False for a built-in plugin that is switched off: nothing publishes the kind until the plugin is back. */
  readonly enabled: boolean
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
  /** Throws for a kind that the plugin's manifest does not list in `emits`; nothing is written then. */
  publish(tx: Tx, events: readonly NewEvent[]): Promise<void>
}

/** What the context lends a plugin: a publisher of its own kinds, and the registry of all kinds there are. */
export interface Events extends EventPublisher {
  /** The kinds of every plugin, in the order of their names; complete before the first plugin is set up. */
  readonly kinds: readonly EventKind[]
}

/** Stands for every public kind, of third parties and of plugins that are loaded later too. */
export const PUBLIC_EVENTS = '*'

/** A plugin's reaction to events, run as a job of its own for each with retries; must be idempotent (at least once). */
export interface Subscription<S = never> {
  /** A kind, several kinds, or {@link PUBLIC_EVENTS}. */
  readonly event: string | readonly string[]
  /** Unique within the plugin; becomes part of the job's name. */
  readonly name: string
  /**
   * False for what must happen to workspaces whose plan lacks the plugin's feature, too, such as removing what is stored of a
   * deleted memory. Otherwise their events make no job.
   */
  readonly gated?: boolean
  handle(event: StoredEvent, scope: S): Promise<void>
}

/** The kinds that a subscription names; empty for one to all public events. */
export function kindsNamed({ event }: Pick<Subscription, 'event'>): readonly string[] {
  if (event === PUBLIC_EVENTS) return []
  return typeof event === 'string' ? [event] : event
}
