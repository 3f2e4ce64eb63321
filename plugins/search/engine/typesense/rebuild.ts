import { setTimeout as pause } from 'node:timers/promises'
import type { Upkeep } from './upkeep.ts'

/** A rebuild gives up after this time without progress; its work is kept, and the next one resumes there. */
const STUCK_MS = 120_000
const PAUSE_MS = 200

export interface Progress {
  print(line: string): void
  readonly signal: AbortSignal
}

/**
 * Fills a new collection from Postgres and switches to it, while searches use the old one. Running servers help; an interrupted rebuild
 * resumes where it stopped.
 *
 * @returns whether it completed
 */
export async function rebuild(upkeep: Upkeep, { print, signal }: Progress): Promise<boolean> {
  await upkeep.run()
  if (upkeep.problem === undefined) await upkeep.begin()
  else print(upkeep.problem)
  if (upkeep.problem !== undefined) return false
  let movedAt = performance.now()
  let told = ''
  while (upkeep.building) {
    if (signal.aborted) {
      print('Interrupted. Servers or the next rebuild resume it.')
      return false
    }
    await upkeep.run()
    if (upkeep.problem !== undefined) {
      print(upkeep.problem)
      return false
    }
    const { filling, waiting, failing } = upkeep.size
    const line = `${filling + waiting} to send at the moment${failing > 0 ? `, ${failing} refused` : ''}`
    if (line !== told) movedAt = performance.now()
    if (line !== told) print(line)
    told = line
    if (performance.now() - movedAt > STUCK_MS) {
      print(upkeep.failure ? `Typesense does not accept writes: ${upkeep.failure}.` : 'No progress any more.')
      return false
    }
    // Other processes may have claimed the rest, or Typesense may be unavailable.
    if (upkeep.building && (upkeep.away || filling > 0)) await pause(PAUSE_MS)
  }
  return true
}

/** Sends pending memories until none is left or nothing progresses. */
export async function sendAll(upkeep: Upkeep, { signal }: Pick<Progress, 'signal'>): Promise<void> {
  const until = performance.now() + STUCK_MS
  do {
    await upkeep.run()
    if (upkeep.size.waiting > 0) await pause(PAUSE_MS)
  } while (upkeep.size.waiting > upkeep.size.failing && !signal.aborted && performance.now() < until)
}
