import { ok, readBacklogs } from 'mneme/plugin'
import { backlogExample } from '../examples.ts'
import { READ, route } from '../route.ts'
import { BACKLOG_KINDS, backlogResponse } from '../schemas.ts'

export const getBacklogRoute = route({
  method: 'GET',
  path: '/v1/dashboard/backlog',
  operationId: 'getBacklog',
  access: READ,
  share: 'heavy',
  beyondQuota: true,
  summary: 'Count what waits',
  description: 'Every count is exact, at the moment of the request.',
  responses: { 200: backlogResponse },
  examples: { response: backlogExample },
  async handle({ scope: { wiring }, tenant }) {
    const found = await tenant.transaction(tx => readBacklogs(tx, wiring, tenant))
    // A kind is there without its plugin as well, so that clients need not ask for it.
    const kinds = new Set([...BACKLOG_KINDS, ...found.keys()])
    const shown = [...kinds].map(kind => {
      const { waiting = 0, failed = 0, oldestAt } = found.get(kind) ?? {}
      return [kind, { waiting, failed, oldest_at: oldestAt?.toISOString() ?? null }] as const
    })
    return ok(Object.fromEntries(shown))
  },
})
