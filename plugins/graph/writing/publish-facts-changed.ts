import type { EventPublisher, Tx } from 'mneme/plugin'
import { factsChangedEvent } from '../contract.ts'
import type { Owner } from '../resolve/owner.ts'
import { noteChanged } from './changed-users.ts'

/** Tells that a user's facts changed, those of some categories, with the transaction that changed them. */
export async function publishFactsChanged(
  tx: Tx,
  events: EventPublisher,
  { workspaceId, userId }: Owner,
  categories: Iterable<string>,
): Promise<void> {
  const told = [...categories].sort()
  const data = { user_id: userId, categories: told }
  await Promise.all([
    events.publish(tx, [{ kind: factsChangedEvent.kind, workspaceId, subjectId: null, userId, data }]),
    told.length > 0 && noteChanged(tx, workspaceId, userId),
  ])
}
