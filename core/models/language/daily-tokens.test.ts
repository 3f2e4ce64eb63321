import { beforeAll, describe, expect, test } from 'bun:test'
import { type Static, Type } from '@sinclair/typebox'
import { controlPlane } from '../../../test/support/control-plane.ts'
import type { Database } from '../../db/database.ts'
import { createUsageMeter } from '../../usage/usage-meter.ts'
import { withDailyTokens } from './daily-tokens.ts'
import {
  LanguageModelOutputError,
  LanguageModelUnavailableError,
  type LanguageOperation,
  type OpenLanguageModel,
} from './language-model.ts'

const schema = Type.Object({})
let database: Database
let makeWorkspace: () => Promise<string>

beforeAll(async () => {
  const plane = await controlPlane()
  database = plane.storage.database
  makeWorkspace = async () => (await plane.account()).workspaceId
})

/** Makes a model whose calls take 100 tokens each. */
async function world(limit: number | null, spent: number, { fails = false } = {}) {
  const workspaceId = await makeWorkspace()
  const usage = createUsageMeter({ database })
  usage.tokens(workspaceId, 'enrichment', spent)
  usage.tokens(workspaceId, 'query', 1_000_000)
  usage.tokens(workspaceId, 'embedding', 1_000_000)
  await usage.flush()
  let calls = 0
  const model: OpenLanguageModel = {
    modelId: 'test',
    available: () => true,
    outage: () => undefined,
    async generate<T extends typeof schema>() {
      calls++
      if (fails) throw new LanguageModelOutputError('malformed', 'in another form', 100)
      return { value: {} as Static<T>, usage: { inputTokens: 60, cachedTokens: 0, outputTokens: 40 } }
    },
    close: () => Promise.resolve(),
  } as OpenLanguageModel
  const settings = { daily_model_tokens: limit }
  const now = Date.now()
  const capped = withDailyTokens(model, { database, find: async () => ({ settings }), now: () => now })
  const ask = (operation: LanguageOperation = 'enrichment') =>
    capped.generate({ operation, workspaceId, system: '', input: '', schema, maxTokens: 10 })
  return { ask, calls: () => calls }
}

describe('the daily tokens of a workspace', () => {
  test('are asked for nothing where none are set', async () => {
    const { ask, calls } = await world(null, 1_000_000)
    await ask()
    expect(calls()).toBe(1)
  })

  test('stop calls in the background once they are used up, until the next day', async () => {
    const { ask, calls } = await world(1000, 1000)
    const refused = await ask().catch(error => error)
    expect(refused).toBeInstanceOf(LanguageModelUnavailableError)
    expect(refused.retryAfterMs).toBeGreaterThan(0)
    expect(refused.retryAfterMs).toBeLessThanOrEqual(86_400_000)
    await expect(ask('writing')).rejects.toBeInstanceOf(LanguageModelUnavailableError)
    expect(calls()).toBe(0)
  })

  test('are counted before the counters are written', async () => {
    const { ask, calls } = await world(200, 50)
    await ask()
    await ask()
    await expect(ask()).rejects.toBeInstanceOf(LanguageModelUnavailableError)
    expect(calls()).toBe(2)
  })

  test('count what came to nothing', async () => {
    const { ask, calls } = await world(200, 50, { fails: true })
    for (let n = 0; n < 2; n++) await expect(ask()).rejects.toBeInstanceOf(LanguageModelOutputError)
    await expect(ask()).rejects.toBeInstanceOf(LanguageModelUnavailableError)
    expect(calls()).toBe(2)
  })

  test('are gone beyond only by what is under way', async () => {
    const { ask, calls } = await world(250, 0)
    await Promise.all([ask(), ask()])
    const more = await Promise.allSettled([ask(), ask()])
    const late = await Promise.allSettled([ask(), ask(), ask()])
    expect(more.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect(late.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(calls()).toBe(4)
  })

  test('do not hold back a query, for which somebody waits', async () => {
    const { ask, calls } = await world(10, 1000)
    await ask('query')
    expect(calls()).toBe(1)
  })
})
