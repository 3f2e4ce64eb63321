import { LRUCache } from 'lru-cache'

/** So many characters of a workspace's searches are kept at once, if few came before them: those of 50,000 usual searches. */
const BURST_CHARACTERS = 2_000_000
/** So many more each second, as of five usual searches. A character takes up to 34 bytes of the disk, with the indexes of its words. */
const CHARACTERS_PER_SECOND = 200
/** Beyond so many workspaces the one that searched longest ago is forgotten; most of what it took has come back by then. */
const WORKSPACES_MAX = 10_000

const CHARACTERS_PER_MS = CHARACTERS_PER_SECOND / 1000
const BURST_MS = BURST_CHARACTERS / CHARACTERS_PER_MS

/**
 * Bounds the texts of searches that are kept of a workspace in a time, by the generic cell rate algorithm (ITU-T I.371, annex A): a key that
 * may only read would otherwise fill the disk with searches for new words.
 */
export class TextRoom {
  /** When all that was taken would have come back, by workspace. */
  readonly #backAt = new LRUCache<string, number>({ max: WORKSPACES_MAX })

  /**
   * Takes room for a text where there is enough.
   * @param now in milliseconds, of a clock that is never put back
   */
  take(workspaceId: string, characters: number, now: number): boolean {
    const backAt = Math.max(this.#backAt.get(workspaceId) ?? now, now) + characters / CHARACTERS_PER_MS
    if (backAt - now > BURST_MS) return false
    this.#backAt.set(workspaceId, backAt)
    return true
  }
}
