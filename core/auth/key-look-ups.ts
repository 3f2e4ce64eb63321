import type { Database } from '../db/database.ts'
import { TransactionTurns } from '../db/turns.ts'
import { systemClock } from '../http/clock.ts'
import { findKeys, type KeyRecord } from './control/keys.ts'

/** Look-ups of all addresses take turns at the database, and each has one at a time. */
const TURNS = { total: 4, perWorkspace: 1, waitMs: 10_000 }
/** One statement looks so many keys up. */
const TOGETHER_MAX = 200

type Waiting = Map<string, PromiseWithResolvers<KeyRecord | undefined>>

/**
 * Looks keys up in the database, made-up ones as well. What an address asks for while a statement of it runs is looked up by the next one, so
 * that a client that tries thousands neither delays other addresses nor, by more than some statements, a valid key of its own.
 */
export class KeyLookUps {
  readonly #turns = new TransactionTurns(TURNS, systemClock)
  /** Addresses with a statement under way, and what waits for their next one. */
  readonly #lanes = new Map<string, Waiting>()

  constructor(readonly database: Pick<Database, 'system'>) {}

  /**
   * Finds the key with this SHA-256, unless it is revoked or its workspace is gone. Throws SERVICE_UNAVAILABLE.
   * @param hash in hex
   */
  find(hash: string, address: string): Promise<KeyRecord | undefined> {
    const lane = this.#lanes.get(address)
    const waiting: Waiting = lane ?? new Map()
    const asked = waiting.get(hash) ?? Promise.withResolvers<KeyRecord | undefined>()
    waiting.set(hash, asked)
    if (!lane) {
      this.#lanes.set(address, waiting)
      void this.#serve(address, waiting)
    }
    return asked.promise
  }

  async #serve(address: string, waiting: Waiting): Promise<void> {
    while (waiting.size > 0) {
      const asked = [...waiting.entries().take(TOGETHER_MAX)]
      for (const [hash] of asked) waiting.delete(hash)
      try {
        const hashes = asked.map(([hash]) => hash)
        const found = await this.#turns.run(address, true, () => this.database.system(tx => findKeys(tx, hashes)))
        const records = new Map(found.map(record => [Buffer.from(record.hash).toString('hex'), record]))
        for (const [hash, { resolve }] of asked) resolve(records.get(hash))
      } catch (error) {
        for (const [, { reject }] of asked) reject(error)
      }
    }
    this.#lanes.delete(address)
  }
}
