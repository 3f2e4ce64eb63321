import type { Tx } from '../db/database.ts'
import { BoundedCache, SMALL_BYTES } from '../resources/bounded-cache.ts'

/**
 * One workspace's kept responses may take so much. Together with the rows themselves, of some 200 bytes each, it is
 * under 64 MB.
 */
export interface RoomLimits {
  /** Counts the bytes of all bodies and of the ids that they mention. */
  readonly bytesMax: number
  /** Counts keys, with a body or without. */
  readonly rowsMax: number
}

export const KEPT_ROOM: RoomLimits = { bytesMax: 48 * 1024 * 1024, rowsMax: 40_000 }

/** So much may be added between two looks, so that a small response does not pay for one. */
const UNSEEN_BYTES_MAX = 1024 * 1024
const UNSEEN_ROWS_MAX = 500

/** So many workspaces are counted; the one counted longest ago is looked at again at its next response. */
const COUNTED_MAX = 10_000

/** An id takes so many bytes in the list of those that a response mentions. */
const ID_BYTES = 16

/** Says when to measure how much a workspace keeps: at its first response in this process, and after every megabyte. */
export class RoomWatch {
  readonly #unseen = new BoundedCache<{ bytes: number; rows: number }>({
    name: 'http.kept_rooms',
    max: COUNTED_MAX,
    maxBytes: 2 * COUNTED_MAX * SMALL_BYTES,
  })

  /** Counts a response. @returns whether {@link makeRoom} is due after it */
  isDue(workspaceId: string, bytes: number): boolean {
    const unseen = this.#unseen.get(workspaceId)
    if (unseen) {
      unseen.bytes += bytes
      unseen.rows++
      if (unseen.bytes <= UNSEEN_BYTES_MAX && unseen.rows <= UNSEEN_ROWS_MAX) return false
    }
    this.#unseen.set(workspaceId, { bytes: 0, rows: 0 })
    return true
  }
}

/**
 * Removes the oldest bodies until the rest has room, and then the oldest keys. A key without its body is still not
 * carried out twice; one that is gone is new again, as after its 24 hours.
 */
export async function makeRoom(tx: Tx, workspaceId: string, limits = KEPT_ROOM): Promise<void> {
  // Rows that others have locked are skipped, and taken the next time.
  await tx`
    with kept as (
      select caller_id, key, sum(octet_length(body) + ${ID_BYTES}::int * cardinality(resource_ids)) over newest_first as bytes
      from core.idempotent_response
      where workspace_id = ${workspaceId} and body is not null
      window newest_first as (order by created_at desc, caller_id, key)
    ), oldest as (
      select caller_id, key
      from core.idempotent_response
      join kept using (caller_id, key)
      where workspace_id = ${workspaceId} and kept.bytes > ${limits.bytesMax}::bigint
      for update of idempotent_response skip locked
    )
    update core.idempotent_response as evicted
    set body = null, headers = null, omitted = 'EVICTED', resource_ids = '{}'
    from oldest
    where evicted.workspace_id = ${workspaceId} and evicted.caller_id = oldest.caller_id and evicted.key = oldest.key`
  await tx`
    with oldest as (
      select caller_id, key
      from core.idempotent_response
      where workspace_id = ${workspaceId} and owner is null
      order by created_at desc, caller_id, key
      offset ${limits.rowsMax}::int
      for update skip locked
    )
    delete from core.idempotent_response as gone
    using oldest
    where gone.workspace_id = ${workspaceId} and gone.caller_id = oldest.caller_id and gone.key = oldest.key`
}
