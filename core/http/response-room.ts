import { type AppError, fail } from '../errors.ts'
import type { Transfers } from './transfers.ts'

/** Counts bytes of a response among those of its recipient until it is sent. Throws SERVICE_UNAVAILABLE where that has too much under way already. */
export function reserveRoom({ responses }: Transfers, holder: string, bytes: number): void {
  if (!responses.reserve(holder, bytes)) throw tooMany()
}

/**
 * Refuses, before it begins, what changes something for a recipient whose responses have no room: once it is done, its response is sent
 * whatever its size.
 */
export function requireRoom({ responses }: Transfers, holder: string): void {
  if (!responses.admits(holder)) throw tooMany()
}

function tooMany(): AppError {
  return fail('SERVICE_UNAVAILABLE', {
    message: 'Too many large responses are under way; retry when they have been read.',
    retryAfterSeconds: 1,
  })
}
