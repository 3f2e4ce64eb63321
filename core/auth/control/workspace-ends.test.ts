import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { controlPlane } from '../../../test/support/control-plane.ts'
import { pendingEnds } from './workspace-ends.ts'

test('ends that nobody can answer do not keep the ones behind them from their turn', async () => {
  const { storage } = await controlPlane()
  const eraser = `eraser-${randomUUID()}`
  const ids = [randomUUID(), randomUUID(), randomUUID()]
  for (const [hours, id] of ids.entries()) {
    await storage.database.system(
      tx => tx`
        insert into core.workspace_end (ended_workspace, eraser, ended_at)
        values (${id}, ${eraser}, now() - make_interval(hours => ${hours}))`,
    )
  }
  const asked = new Set<string>()
  // None is ever answered. That one of three is drawn in none of 200 runs is as good as impossible.
  for (let runs = 0; runs < 200 && asked.size < ids.length; runs++) {
    const [end] = await storage.database.system(tx => pendingEnds(tx, [eraser], 1))
    if (end) asked.add(end.workspaceId)
  }
  expect(asked).toEqual(new Set(ids))
})
