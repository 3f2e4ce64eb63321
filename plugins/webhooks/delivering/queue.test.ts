import { randomUUID } from 'node:crypto'
import { queueAgain, type Tx } from 'mneme/plugin'
import { v7 } from 'uuid'
import { leasedWorkConformance } from '../../../core/jobs/leased-work.conformance.ts'
import { idleService } from '../../../test/support/service.ts'
import { openQueue } from './queue.ts'

async function insert(tx: Tx, workspaceId: string, id: string, n: number): Promise<void> {
  await tx`
    insert into webhooks.delivery (
      workspace_id, id, webhook_id, payload_id, event, status, round_started_at, created_at, due_at
    )
    values (
      ${workspaceId}, ${id}, ${randomUUID()}, ${v7()}, 'memory.created', 'PENDING', now(), now(),
      now() + ${n}::integer * interval '1 millisecond'
    )`
}

leasedWorkConformance({ name: 'webhooks.delivery', key: 'id', leaseMs: 60_000, removesFinished: false }, async () => ({
  database: (await idleService()).database,
  open: clock => openQueue({ clock }),
  async add(tx, workspaceId, count) {
    const ids = Array.from({ length: count }, () => v7())
    for (const [n, id] of ids.entries()) await insert(tx, workspaceId, id, n)
    return ids
  },
  async addAgain(tx, workspaceId, id) {
    await tx`
        update webhooks.delivery as delivery set ${queueAgain(tx, 'delivery')}
        where delivery.workspace_id = ${workspaceId} and delivery.id = ${id}`
  },
}))
