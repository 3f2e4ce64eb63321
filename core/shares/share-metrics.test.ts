import { expect, test } from 'bun:test'
import { Registry } from 'prom-client'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { TransactionTurns } from '../db/turns.ts'
import { sharesOf } from './limits.ts'
import { RequestShares } from './request-shares.ts'
import { measureShares } from './share-metrics.ts'

test('metrics show limits and use by class, and nothing of the workspaces', async () => {
  const registry = new Registry()
  const share = { running: 1, waiting: 1, waitMs: 1000, statementMs: 1 }
  const requests = new RequestShares({ ...sharesOf('server'), bulk: share }, new ManualClock())
  const turnsNow = () => new TransactionTurns({ total: 8, perWorkspace: 1, waitMs: 1000 }, new ManualClock())
  const turns = { workspaces: turnsNow(), system: turnsNow() }
  measureShares(registry, requests, turns)
  const { promise, resolve } = Promise.withResolvers<void>()
  const gone = () => new AbortController().signal
  const run = () => requests.run('bulk', 'secret-workspace', gone, () => promise)
  const running = [run(), run(), turns.workspaces.run('secret-workspace', true, () => promise)]
  expect(await run().catch(error => error.code)).toBe('RATE_LIMITED')
  const lines = (await registry.metrics()).split('\n')
  for (const line of [
    'mneme_share_limit{class="bulk",state="running"} 1',
    'mneme_share_limit{class="transaction",state="running"} 1',
    'mneme_share_used{class="bulk",state="running"} 1',
    'mneme_share_used{class="bulk",state="waiting"} 1',
    'mneme_share_used{class="transaction",state="running"} 1',
    'mneme_share_used{class="system",state="running"} 0',
    'mneme_share_refused_total{class="bulk"} 1',
    'mneme_share_refused_total{class="light"} 0',
  ])
    expect(lines).toContain(line)
  expect(lines.join('\n')).not.toContain('secret-workspace')
  resolve()
  await Promise.all(running)
  expect(await registry.metrics()).toContain('mneme_share_used{class="bulk",state="running"} 0')
})
