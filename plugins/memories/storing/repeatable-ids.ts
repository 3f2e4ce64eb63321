import { createHash } from 'node:crypto'
import { v7 } from 'uuid'

/** A UUIDv7 begins with 48 bits of time, written with one hyphen (RFC 9562, 5.7). */
const TIME_LENGTH = 13

/**
 * Makes ids of which all but the time follow from the seed and the place: a repetition of the request makes ids that
 * {@link isRepetition} recognises. They ascend with the place.
 */
export function repeatableIds(seed: string, count: number): string[] {
  const msecs = Date.now()
  return Array.from({ length: count }, (_, place) => {
    const random = createHash('sha256').update(`${seed} ${place}`).digest()
    return v7({ msecs, seq: (place << 16) | random.readUInt16BE(0), random })
  })
}

/** Recognises two ids made for the same place of the same request, possibly at different times. */
export function isRepetition(id: string, other: string): boolean {
  return id.slice(TIME_LENGTH) === other.slice(TIME_LENGTH)
}
