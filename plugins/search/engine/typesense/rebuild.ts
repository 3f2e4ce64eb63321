import type { Upkeep } from './upkeep.ts'

/** Without any progress for so long a rebuild gives up; what is done stays, and the next one goes on there. */
const STUCK_MS = 120_000
const PAUSE_MS = 200

export interface Progress {
  print(line: string): void
  readonly signal: AbortSignal
}

/**
 * Fills a new collection from Postgres and switches to it, while searches go on with the old one. Servers that run meanwhile
 * help; a rebuild that was interrupted goes on where it stood.
 *
 * @returns whether it is done
 */
export async function rebuild(upkeep: Upkeep, { print, signal }: Progress): Promise<boolean> {
  await upkeep.begin()
  let movedAt = performance.now()
  let told = ''
  while (upkeep.building) {
    if (signal.aborted) {
      print('Interrupted. Servers go on with it, or the next rebuild does.')
      return false
    }
    await upkeep.run()
    const { filling, waiting, failing } = upkeep.size
    const line = `${filling + waiting} to send at the moment${failing > 0 ? `, ${failing} refused` : ''}`
    if (line !== told) movedAt = performance.now()
    if (line !== told) print(line)
    told = line
    if (performance.now() - movedAt > STUCK_MS) {
      print(upkeep.away ? 'Typesense does not take writes.' : 'Nothing moves any more.')
      return false
    }
    // Others may have claimed what is left, or Typesense may be away.
    if (upkeep.building && (upkeep.away || filling > 0)) await pause(PAUSE_MS)
  }
  return true
}

/** Sends what waits until nothing does or nothing moves. */
export async function sendAll(upkeep: Upkeep, { signal }: Pick<Progress, 'signal'>): Promise<void> {
  const until = performance.now() + STUCK_MS
  do {
    await upkeep.run()
    if (upkeep.size.waiting > 0) await pause(PAUSE_MS)
  } while (upkeep.size.waiting > upkeep.size.failing && !signal.aborted && performance.now() < until)
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
