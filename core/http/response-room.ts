import { type AppError, fail } from '../errors.ts'
import type { DeliveryWorld, Recipient } from './delivery.ts'
import { goneSignal } from './gone.ts'
import type { SharedByteBudget } from './shared-byte-budget.ts'
import type { Transfers } from './transfers.ts'

/** A request waits this long at the most for its workspace's earlier responses. */
const RATE_WAIT_MS = 10_000

interface Reserving {
  readonly responses: SharedByteBudget
}

/** Counts bytes of a response among those of its recipient until it is sent. Throws SERVICE_UNAVAILABLE where that has too much under way already. */
export function reserveRoom({ responses }: Reserving, holder: string, bytes: number): void {
  if (!responses.reserve(holder, bytes)) throw tooMany()
}

type World = Pick<DeliveryWorld, 'transfers' | 'clock'>

/**
 * Before a request is begun whose response will most likely be large, waits until earlier ones of its recipient would be through at their rate,
 * and leave room for another. Throws SERVICE_UNAVAILABLE where that takes too long, and, for nobody to see, where the client goes away.
 */
export async function awaitRoom({ transfers, clock }: World, recipient: Recipient): Promise<void> {
  const { responses, responseRate, lastLarge } = transfers
  const bytes = lastLarge.get(nameOf(recipient))
  if (bytes === undefined) return
  const { holder, request } = recipient
  const gone = goneSignal(request)
  const isIn = await responseRate.settles(holder, { clock, gone, maxMs: RATE_WAIT_MS })
  if (!isIn || !(await responses.admitsInTime(holder, bytes, gone, clock))) throw tooMany()
}

/** Notes how large a response is. @param bytes 0 for one that goes out whole */
export function noteSize({ lastLarge }: Transfers, recipient: Recipient, bytes: number): void {
  const name = nameOf(recipient)
  if (bytes > 0) lastLarge.set(name, bytes)
  else lastLarge.delete(name)
}

function nameOf({ holder, route }: Recipient): string {
  return `${holder} ${route}`
}

/** Counts a response that is there already: its recipient's earlier ones have some seconds to be read before it is thrown away. */
export async function reserveRoomInTime(
  { transfers: { responses, responseRate }, clock }: World,
  { request, holder }: Recipient,
  bytes: number,
): Promise<void> {
  // Also where it is thrown away: it has to be collected all the same.
  responseRate.take(holder, bytes, clock.now())
  if (!(await responses.reserveInTime(holder, bytes, goneSignal(request), clock))) throw tooMany()
}

/**
 * Refuses, before it begins, what changes something for a recipient whose responses have no room: once it is done, its response is sent
 * whatever its size.
 */
export function requireRoom({ responses }: Transfers, holder: string): void {
  if (!responses.admits(holder)) throw tooMany()
}

class NoRoomError extends Error {
  override readonly name = 'NoRoomError'
}

/** Tells whether the work of a request was thrown away because its caller reads too little of what it asked for. */
export function isWithoutRoom(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof NoRoomError
}

function tooMany(): AppError {
  return fail('SERVICE_UNAVAILABLE', {
    message: 'Too many large responses are under way; retry when they have been read.',
    retryAfterSeconds: 1,
    cause: new NoRoomError('no room came in time'),
  })
}
