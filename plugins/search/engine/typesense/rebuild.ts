import { setTimeout as pause } from 'node:timers/promises'
import { FORSAKEN, type Upkeep } from './upkeep.ts'

/** A rebuild gives up after this time without progress; its work is kept, and the next one resumes there. */
const STUCK_MS = 120_000
/** While Typesense is away it gives up sooner: long enough for a restart, and short for whoever waits at a shell. */
const AWAY_MS = 30_000
const PAUSE_MS = 200

export interface Progress {
  print(line: string): void
  readonly signal: AbortSignal
  /** In place of {@link AWAY_MS}, for tests. */
  readonly awayMs?: number
}

/**
 * Fills a new collection from Postgres and switches to it, while searches use the old one. Running servers help; an interrupted rebuild
 * resumes where it stopped.
 *
 * @returns whether it completed
 */
export async function rebuild(upkeep: Upkeep, { print, signal, awayMs = AWAY_MS }: Progress): Promise<boolean> {
  await upkeep.run()
  if (upkeep.problem === undefined) await upkeep.begin()
  else print(upkeep.problem)
  if (upkeep.problem !== undefined) return false
  let movedAt = performance.now()
  let told = ''
  while (upkeep.building || !upkeep.serving) {
    if (signal.aborted) {
      print('Interrupted. Servers or the next rebuild resume it.')
      return false
    }
    await upkeep.run()
    if (upkeep.problem !== undefined) {
      print(upkeep.problem)
      return false
    }
    const line = progressOf(upkeep)
    if (line !== told) {
      movedAt = performance.now()
      print(line)
    }
    told = line
    if (performance.now() - movedAt > (upkeep.away ? awayMs : STUCK_MS)) {
      print(stuck(upkeep))
      return false
    }
    // Other processes may have claimed the rest, or Typesense may be unavailable.
    if (!upkeep.serving || (upkeep.building && (upkeep.away || upkeep.size.filling > 0))) await pause(PAUSE_MS)
  }
  return true
}

function progressOf({ building, serving, size: { filling, waiting, failing } }: Upkeep): string {
  if (!building && !serving)
    return 'Waiting for half a minute, in case a process without TYPESENSE_URL writes memories.'
  return `${filling + waiting} to send at the moment${failing > 0 ? `, ${failing} refused` : ''}`
}

function stuck({ failure, forsaken }: Upkeep): string {
  if (failure === undefined && forsaken) return FORSAKEN
  if (failure === undefined) return 'No progress any more.'
  return `Typesense does not accept writes: ${failure}. Servers or the next rebuild resume it when it is back.`
}

/** Sends pending memories until none is left or nothing progresses. */
export async function sendAll(upkeep: Upkeep, { signal }: Pick<Progress, 'signal'>): Promise<void> {
  const until = performance.now() + STUCK_MS
  do {
    await upkeep.run()
    if (upkeep.size.waiting > 0) await pause(PAUSE_MS)
  } while (upkeep.size.waiting > upkeep.size.failing && !signal.aborted && performance.now() < until)
}
