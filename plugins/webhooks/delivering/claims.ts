import type { Webhook } from '../queries/webhooks.ts'
import { hostOf } from '../receiver-url.ts'
import type { Capacity, Place } from './capacity.ts'
import type { ClaimedDelivery } from './queue.ts'

/** A claimed delivery with what is sent. */
export interface ClaimedMessage {
  readonly claim: ClaimedDelivery
  readonly webhook: Webhook
  /** Undefined where it is not kept any more. */
  readonly body: string | undefined
}

/** A delivery whose attempt may begin. */
export interface DueDelivery extends ClaimedMessage {
  readonly place: Place
}

/** The places that one cycle reserves, and the deliveries that take them. */
export class Claims {
  readonly taken: DueDelivery[] = []
  readonly following: ClaimedMessage[] = []
  readonly #capacity: Capacity
  readonly #free = new Map<string, Place[]>()

  constructor(capacity: Capacity) {
    this.#capacity = capacity
  }

  reserve(webhook: Webhook): readonly Place[] {
    const { id, workspaceId, url, failingSince, lastSuccessAt } = webhook
    const receiver = {
      id,
      workspaceId,
      host: hostOf(url),
      failing: failingSince !== null,
      succeeded: lastSuccessAt !== null,
    }
    const places = this.#capacity.take(receiver, Number.POSITIVE_INFINITY)
    this.#free.set(id, [...places])
    return places
  }

  use(due: ClaimedMessage): void {
    const place = this.#free.get(due.webhook.id)?.pop()
    if (place) this.taken.push({ ...due, place })
    else this.following.push(due)
  }

  releaseUnused(): void {
    for (const place of [...this.#free.values()].flat()) place.release(undefined)
    this.#free.clear()
  }

  /** The transaction did not commit: nothing is claimed. */
  abandon(): void {
    for (const { place } of this.taken.splice(0)) place.release(undefined)
    this.releaseUnused()
  }
}

type HasClaim = Pick<ClaimedMessage, 'claim'>

/** Deliveries that are due at one moment, as after a write of many, go in the order in which they were made. */
export function byAge({ claim: a }: HasClaim, { claim: b }: HasClaim): number {
  return a.dueAt.getTime() - b.dueAt.getTime() || (a.id < b.id ? -1 : 1)
}

/** The order changes, so that no webhook is always the first where there is no room for all of a workspace. */
export function inRandomOrder<T>(items: readonly T[]): T[] {
  return items
    .map(item => ({ item, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
