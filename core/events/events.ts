import type { TSchema } from '@sinclair/typebox'
import type { Tx } from '../db/database.ts'

/**
 * Declares a kind of event that a plugin may publish. `public` kinds are told to receivers outside and appear in the
 * activity feed. The data never carries a memory's text: subscribers read content through the owning plugin's contract,
 * so that an erasure need not chase copies.
 */
export interface EventDefinition {
  /** `noun.pastTense`, e.g. `memory.created`. */
  readonly kind: string
  /**
   * Labels the kind in lists that people read, e.g. `Memory created`; the kind itself stands there when it is left out.
   */
  readonly label?: string
  /** Describes the kind in one sentence. */
  readonly description: string
  readonly public: boolean
  /** Shows data of an event of the kind. It must fit `schema`, which is checked at the start. */
  readonly example?: Readonly<Record<string, unknown>>
  /**
   * Describes the data. Each publication is checked against it where `verifyResponses` is on, which it is in tests
   * only.
   */
  readonly schema?: TSchema
}

/** A kind of event whose data has a schema, so that `subscriptionsOf` can type it. */
export interface EventOfSchema<D extends TSchema> extends EventDefinition {
  readonly schema: D
}

/** Types a kind of event by its schema; returns it unchanged. */
export function defineEvent<D extends TSchema>(definition: EventOfSchema<D>): EventOfSchema<D> {
  return definition
}

/** The registry lists a kind in this form. */
export interface EventKind extends EventDefinition {
  readonly label: string
  /** The id of the plugin that declares and publishes it. */
  readonly owner: string
  /** False for a built-in plugin that is switched off: nothing publishes the kind until the plugin is back. */
  readonly enabled: boolean
}

export interface NewEvent {
  readonly kind: string
  readonly workspaceId: string
  /** Identifies what it happened to, e.g. the memory's id. */
  readonly subjectId: string | null
  readonly userId: string | null
  /** Keep it small and free of content. */
  readonly data: Readonly<Record<string, unknown>>
}

/** `D` is the type of its data where that is known. */
export interface StoredEvent<D = NewEvent['data']> extends Omit<NewEvent, 'data'> {
  readonly id: string
  readonly createdAt: Date
  readonly data: D
  /** The caller behind it, as `actorNames` takes it; null for what happened by itself. */
  readonly actor?: string | null
}

/** Publishing is part of the caller's transaction: event rows and subscribers' jobs commit with the domain write, or not at all. */
export interface EventPublisher {
  /** Throws for a kind that the plugin's manifest does not list in `emits`; nothing is written then. */
  publish(tx: Tx, events: readonly NewEvent[]): Promise<void>
}

/** Lets a plugin publish events of its own kinds and read the registry of all kinds. */
export interface Events extends EventPublisher {
  /** Lists the kinds of every plugin, ordered by name; complete before the first plugin is set up. */
  readonly kinds: readonly EventKind[]
}

/** Subscribes to every public kind, including those of third parties and of plugins that are loaded later. */
export const PUBLIC_EVENTS = '*'

/** Reacts to events, each in a job of its own with retries; it must be idempotent (at least once). */
export interface Subscription<S = never> {
  /** A kind, several kinds, or {@link PUBLIC_EVENTS}. */
  readonly event: string | readonly string[]
  /** Unique within the plugin; becomes part of the job's name. */
  readonly name: string
  /**
   * Set it to false for reactions that must also reach workspaces whose plan lacks the plugin's feature, such as
   * removing data of a deleted memory. Otherwise their events make no job.
   */
  readonly gated?: boolean
  /**
   * Removes what must not stay, such as texts of what was deleted: it is tried for a day where it fails, others for half an hour, and reaches
   * workspaces whatever their plan.
   */
  readonly erases?: boolean
  handle(event: StoredEvent, scope: S): Promise<void>
}

/** An event in the transaction that publishes it: stored under this id, and not committed yet. */
export interface PublishedEvent extends NewEvent {
  /** A UUID of version 7; those that one call publishes ascend in its order. */
  readonly id: string
}

/**
 * A plugin's part in the transaction that publishes events, for what must exist exactly once for each event that does: rows of an outbox of
 * its own, counts. Everybody who publishes waits for it, so it takes a few short statements, locks no row that others publish by, and
 * calls nobody outside of the database; what it throws rolls back the change that the events tell of.
 */
export interface EventRecorder<S = never> {
  /** A kind, several kinds, or {@link PUBLIC_EVENTS}. */
  readonly event: string | readonly string[]
  /** Unique within the plugin. */
  readonly name: string
  /** False for what also holds for workspaces whose plan lacks the plugin's feature. Otherwise their events are left out. */
  readonly gated?: boolean
  /** @param events of one workspace, those of its kinds among what one call publishes, in their order; their rows are inserted before */
  record(tx: Tx, events: readonly PublishedEvent[], scope: S): Promise<void>
}

/** Returns the kinds that a subscription or recorder names; empty for one to all public events. */
export function kindsNamed({ event }: Pick<Subscription, 'event'>): readonly string[] {
  if (event === PUBLIC_EVENTS) return []
  return typeof event === 'string' ? [event] : event
}
