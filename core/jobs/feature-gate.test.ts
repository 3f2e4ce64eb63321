import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { workspaceWith } from '../../test/support/workspace.ts'
import { createLog } from '../log.ts'
import { featureGate } from './feature-gate.ts'
import { type Task, tasksOf } from './task.ts'

const WITH = '00000000-0000-4000-8000-000000000001'
const WITHOUT = '00000000-0000-4000-8000-000000000002'

function world(parts: { feature?: string; gated?: boolean } = { feature: 'painting' }) {
  const ran: unknown[] = []
  const notes: unknown[] = []
  const task = tasksOf<undefined>()({
    name: 'things:paint',
    payload: Type.Unknown(),
    ...(parts.gated === undefined ? {} : { gated: parts.gated }),
    async run({ payload }) {
      ran.push(payload)
    },
  }) as Task
  const log = Object.assign(createLog('silent'), { info: (note: unknown) => void notes.push(note) })
  const find = async (id: string) =>
    id === WITH || id === WITHOUT ? workspaceWith(id === WITH ? ['painting'] : ['glazing'], id) : undefined
  const gated = featureGate(task, parts.feature, { directory: { find }, log })
  const run = (payload: unknown) =>
    gated.run({
      payload: payload as never,
      scope: undefined as never,
      attempt: 1,
      maxAttempts: 1,
      signal: AbortSignal.timeout(1000),
    })
  return { run, ran, notes }
}

describe('a task of a plugin that stands for a feature', () => {
  test('runs for a workspace whose plan has it, and is left out with a note where it has not', async () => {
    const { run, ran, notes } = world()
    await run({ workspace_id: WITH })
    await run({ workspace_id: WITHOUT })
    expect(ran).toEqual([{ workspace_id: WITH }])
    expect(notes).toEqual([{ task: 'things:paint', workspace: WITHOUT, feature: 'painting' }])
  })

  test.each([[{}], [{ workspace_id: 'gone' }], [{ workspace_id: 7 }], [null]])(
    'runs with the payload %j',
    async payload => {
      const { run, ran } = world()
      await run(payload)
      expect(ran).toEqual([payload])
    },
  )

  test.each([{ feature: 'painting', gated: false }, {}])('with %j runs for every workspace', async parts => {
    const { run, ran } = world(parts)
    await run({ workspace_id: WITHOUT })
    expect(ran).toHaveLength(1)
  })
})
