import type { Tx } from '../db/database.ts'
import type { JobQueue, NewJob } from '../jobs/task.ts'
import { DELIVERY_PREFIX, type Place } from '../quarantine/store.ts'

/** One run has so many delivered again. */
const AGAIN_MAX = 1000

/** A delivery with a day of attempts is left alone meanwhile. */
const ATTEMPTED_HOURS = 26

/** Names a delivery that failed for good, as operators see it: its task, and the event. */
export function placeOf(task: string, { workspace_id: workspaceId, event_id: rowId }: DeliveryPayload): Place {
  return { sweep: task, workspaceId, rowId }
}

export type DeliveryPayload = {
  readonly workspace_id: string
  readonly event_id: string
  /** It failed for good before, and is in quarantine. */
  readonly held?: boolean
}

/** The job that attempts a delivery in quarantine again, from its first attempt on. */
export function heldDelivery({ sweep, workspaceId, rowId }: Place): NewJob {
  const payload: DeliveryPayload = { workspace_id: workspaceId, event_id: rowId, held: true }
  return { task: sweep, payload, key: `${sweep} ${rowId}` }
}

/** Has deliveries in quarantine attempted again, whose time has come. */
export async function deliverHeldAgain(tx: Tx, queue: JobQueue): Promise<number> {
  const places = await tx<Place[]>`
    -- across workspaces: housekeeping of what could not be delivered
    update core.quarantine as held
    set retry_at = now() + ${ATTEMPTED_HOURS}::int * interval '1 hour'
    where (held.workspace_id, held.sweep, held.row_id) in (
      select due.workspace_id, due.sweep, due.row_id
      from core.quarantine as due
      where due.sweep like ${`${DELIVERY_PREFIX}%`}
        and due.retry_at <= now()
      order by due.retry_at
      limit ${AGAIN_MAX}
    )
    returning held.sweep, held.workspace_id as "workspaceId", held.row_id as "rowId"`
  await queue.enqueue(tx, places.map(heldDelivery))
  return places.length
}
