import { Type } from '@sinclair/typebox'
import { noContent, ok } from 'mneme/plugin'
import { type BalanceRecord, readBalance, resetBalance } from '../learning/balance-store.ts'
import type { Balance } from '../ranking/signal.ts'
import { DEFAULT_BALANCE } from '../ranking/signals.ts'
import { route } from '../scope.ts'

/** Relevance is the reference: the weights say by which fraction of it they move a result. */
const weights = {
  relevance: Type.Number({ description: 'Always 1; the other weights are relative to it.' }),
  recency: Type.Number({ minimum: 0, description: 'The advantage of a memory of today over a very old one.' }),
  priority: Type.Number({
    minimum: 0,
    description: 'The advantage of HIGH, and the disadvantage of LOW, over MEDIUM.',
  }),
}

const instantOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description })

const balanceResponse = Type.Object({
  ...weights,
  default: Type.Object(weights, { description: 'The balance until a better one is learned.' }),
  fitted_at: instantOrNull('When it was learned; null while it is the default.'),
  age_seconds: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Seconds since it was learned.',
  }),
  signals: Type.Integer({ minimum: 0, description: 'The number of feedback signals it was learned from.' }),
  effect: Type.Union(
    [
      Type.Object({
        before: Type.Number({ minimum: 0, maximum: 1, description: 'The share with the former balance.' }),
        after: Type.Number({ minimum: 0, maximum: 1, description: 'The share with this one.' }),
        queries: Type.Integer({ minimum: 0, description: 'The number of queries it was measured on.' }),
      }),
      Type.Null(),
    ],
    {
      description:
        'Share of judged pairs of results in the right order, on queries it was not learned from: with the balance of before, and with this one.',
    },
  ),
  checked_at: instantOrNull('When a better one was last searched for.'),
  outcome: Type.Union([Type.Literal('KEPT'), Type.Literal('NOT_BETTER'), Type.Literal('TOO_FEW'), Type.Null()], {
    description: 'The outcome of the last fit.',
  }),
})

export const getBalanceRoute = route({
  method: 'GET',
  path: '/v1/search/balance',
  operationId: 'getSearchBalance',
  access: { permission: 'dashboard.read' },
  summary: 'Get the ranking balance',
  description:
    'How much recency and priority move results against their relevance. Learned from feedback that names a `query_hash`, and kept only when it orders queries better that it was not learned from.',
  responses: { 200: balanceResponse },
  examples: {
    response: {
      relevance: 1,
      recency: 0.27,
      priority: 0.09,
      default: { relevance: 1, recency: 0.08, priority: 0.12 },
      fitted_at: '2026-08-01T09:00:00.000Z',
      age_seconds: 3600,
      signals: 84,
      effect: { before: 0.71, after: 0.83, queries: 41 },
      checked_at: '2026-08-01T09:00:00.000Z',
      outcome: 'KEPT',
    },
  },
  async handle({ tenant }) {
    return ok(responseOf(await tenant.transaction(tx => readBalance(tx, tenant.workspaceId)), Date.now()))
  },
})

function responseOf({ balance, fittedAt, signals, effect, checkedAt, outcome }: BalanceRecord, now: number) {
  return {
    ...weightsOf(balance ?? DEFAULT_BALANCE),
    default: weightsOf(DEFAULT_BALANCE),
    fitted_at: fittedAt?.toISOString() ?? null,
    age_seconds: fittedAt && Math.max(0, Math.floor((now - fittedAt.getTime()) / 1000)),
    signals,
    effect: effect && { ...effect, before: rounded(effect.before), after: rounded(effect.after) },
    checked_at: checkedAt?.toISOString() ?? null,
    outcome,
  }
}

function weightsOf({ recency, priority }: Balance) {
  return { relevance: 1, recency, priority }
}

function rounded(share: number): number {
  return Math.round(share * 10_000) / 10_000
}

export const resetBalanceRoute = route({
  method: 'DELETE',
  path: '/v1/search/balance',
  operationId: 'resetSearchBalance',
  access: { permission: 'workspace.write' },
  summary: 'Reset the ranking balance',
  description:
    'Results are weighed by the default again. Feedback given so far still moves results for its queries; the balance is learned again from future feedback.',
  responses: { 204: null },
  async handle({ tenant, scope }) {
    const { workspaceId } = tenant
    await tenant.transaction(async tx => {
      scope.services.learned.changed(workspaceId)
      await resetBalance(tx, workspaceId, new Date())
    })
    return noContent
  },
})
