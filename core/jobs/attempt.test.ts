import { expect, test } from 'bun:test'
import { Writable } from 'node:stream'
import { Type } from '@sinclair/typebox'
import type { JobHelpers } from 'graphile-worker'
import pino from 'pino'
import { attemptOf } from './attempt.ts'
import { systemClock, tasksOf } from './task.ts'
import { Overruns } from './time-limit.ts'

test('a job that was replaced while it was fetched and waited is left to its successor, and is no failure', async () => {
  const calls: string[] = []
  const task = tasksOf<undefined>()({
    name: 'tests:superseded',
    payload: Type.Object({}),
    async run() {
      calls.push('run')
    },
    async exhausted() {
      calls.push('exhausted')
    },
  })
  const logged: string[] = []
  const lines = new Writable({ write: (line, _, done) => done(void logged.push(String(line))) })
  const outcomes: string[] = []
  const attempt = attemptOf(
    { task, scope: undefined },
    {
      log: pino({ level: 'warn' }, lines),
      metrics: { finished: (_, outcome) => void outcomes.push(outcome), overrunning: () => undefined },
      signal: new AbortController().signal,
      clock: systemClock,
      overruns: new Overruns(),
    },
  )
  // Replacing a locked job sets its attempts to the maximum; going back and being fetched again leaves them there.
  const job = { id: '7', attempts: 25, max_attempts: 25, last_error: null, flags: null }
  const helpers = { job, query: async () => ({ rows: [{ current: false }] }) }
  await attempt({}, helpers as unknown as JobHelpers)
  expect({ calls, logged, outcomes }).toEqual({ calls: [], logged: [], outcomes: ['superseded'] })
})
