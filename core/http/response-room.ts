import { type AppError, fail } from '../errors.ts'
import type { ByteBudget } from '../fair/byte-budget.ts'
import type { DeliveryWorld, Recipient } from './delivery.ts'
import type { Transfers } from './transfers.ts'

interface Reserving {
  readonly responses: ByteBudget
}

/** Counts bytes of a response among those of its recipient until it is sent. Throws SERVICE_UNAVAILABLE where that has too much under way already. */
export function reserveRoom({ responses }: Reserving, holder: string, bytes: number): void {
  if (!responses.reserve(holder, bytes)) throw tooMany()
}

/** The same for a response that is there already, at a rate. */
export async function reserveRoomInTime(
  { transfers: { responses, responseRate }, clock }: Pick<DeliveryWorld, 'transfers' | 'clock'>,
  { holder }: Recipient,
  bytes: number,
): Promise<void> {
  // Also where the client is gone meanwhile: what was made for it has to be collected all the same.
  await responseRate.pass(holder, bytes, clock)
  if (!responses.reserve(holder, bytes)) throw tooMany()
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
