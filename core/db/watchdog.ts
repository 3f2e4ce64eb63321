import type { Logger } from '../log.ts'
import { openConnections } from './connections.ts'

export interface WatchdogOptions {
  readonly url: string
  readonly log: Logger
  /** Gives up all other connections to the database. */
  drop(): Promise<void>
  /** Time between two looks; 5 seconds. */
  readonly everyMs?: number
  /** A database that leaves a statement unanswered for so long, as asked at each look, has vanished; 30 seconds. */
  readonly vanishedMs?: () => number
}

/**
 * Notices a database host that vanished without closing its connections: TCP itself gives those up only after a quarter of an hour,
 * and so long all that is under way on them hangs. It asks on a connection of its own, which no long transaction can take.
 * @returns what ends it
 */
export function watchDatabase(options: WatchdogOptions): () => Promise<void> {
  const { url, log, drop, everyMs = 5000, vanishedMs = () => 30_000 } = options
  let connection = openConnections(url, 1)
  let isAsking = false
  // Looks are counted, not time: a process that was suspended has heard nothing for hours, and nothing is wrong.
  let unanswered = 0
  const ask = async () => {
    const asked = connection
    isAsking = true
    const isAnswered = await asked`select 1`.then(
      () => true,
      // A refusal is an answer, too: then nothing hangs.
      error => Reflect.get(Object(error), 'code') !== 'CONNECT_TIMEOUT',
    )
    if (asked !== connection) return
    isAsking = false
    if (isAnswered) unanswered = 0
  }
  const renew = async () => {
    const stuck = connection
    connection = openConnections(url, 1)
    isAsking = false
    unanswered = 0
    await Promise.all([stuck.end({ timeout: 0 }), drop()])
  }
  const look = async () => {
    if (unanswered * everyMs >= vanishedMs()) {
      log.error('the database does not answer and does not close its connections; they are given up and made anew')
      await renew()
    }
    unanswered++
    if (!isAsking) await ask()
  }
  const timer = setInterval(() => {
    look().catch(error => log.warn({ err: error }, 'connections to the database could not be given up'))
  }, everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await connection.end({ timeout: 0 })
  }
}
