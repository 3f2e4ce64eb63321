import { describe, expect, test } from 'bun:test'
import {
  type GenerateRequest,
  type LanguageModel,
  LanguageModelOutputError,
  LanguageModelUnavailableError,
} from 'mneme/plugin'
import { createModelTerms } from './model-terms.ts'

const MINE = '00000000-0000-4000-8000-000000000001'
const THEIRS = '00000000-0000-4000-8000-000000000002'

/** Builds a model that completes as the test says and records its prompts. */
function modelOf(completion: () => unknown, available = true) {
  const requests: Pick<GenerateRequest<never>, 'input' | 'priority' | 'timeoutMs' | 'operation'>[] = []
  const model: LanguageModel = {
    modelId: 'fake',
    available: () => available,
    async generate(request) {
      requests.push(request)
      const value = await completion()
      return { value: Object({ terms: value }), usage: { inputTokens: 1, cachedTokens: 0, outputTokens: 1 } }
    },
  }
  return { requests, terms: createModelTerms(model).terms }
}

describe('related words of a language model', () => {
  test('are requested with the priority of a waiting user, for at most 2.5 seconds, and counted as search', async () => {
    const { terms, requests } = modelOf(() => ['car'])
    expect(await terms(MINE, 'h', 'automobile')).toEqual(['car'])
    expect(requests[0]).toMatchObject({
      input: 'automobile',
      priority: 'interactive',
      timeoutMs: 2_500,
      operation: 'query',
    })
  })

  test('are held to their bounds for any completion', async () => {
    const many = ['', '  spaces ', 'x'.repeat(61), ...Array.from({ length: 30 }, (_, n) => `word${n % 20}`)]
    const found = await modelOf(() => many).terms(MINE, 'h', 'query')
    expect(found).toHaveLength(12)
    expect(found?.slice(0, 2)).toEqual(['spaces', 'word0'])
    expect(new Set(found).size).toBe(12)
  })

  test('are requested once per query and workspace, even concurrently', async () => {
    const { terms, requests } = modelOf(() => ['car'])
    await Promise.all([1, 2, 3].map(() => terms(MINE, 'h', 'automobile')))
    await terms(MINE, 'h', 'Automobile')
    expect(requests).toHaveLength(1)
    await terms(THEIRS, 'h', 'automobile')
    await terms(MINE, 'other', 'vehicle')
    expect(requests).toHaveLength(3)
  })

  test('are left to local means while the model is unavailable, without a request', async () => {
    const { terms, requests } = modelOf(() => ['car'], false)
    expect(await terms(MINE, 'h', 'automobile')).toBeUndefined()
    expect(requests).toHaveLength(0)
  })

  test('are left to local means when it fails, and requested again next time', async () => {
    let fails = true
    const { terms, requests } = modelOf(() => {
      if (fails) throw new LanguageModelUnavailableError('away')
      return ['car']
    })
    expect(await terms(MINE, 'h', 'automobile')).toBeUndefined()
    fails = false
    expect(await terms(MINE, 'h', 'automobile')).toEqual(['car'])
    expect(requests).toHaveLength(2)
  })

  test.each([
    ['it makes nothing of', () => []],
    [
      'it refuses',
      () => {
        throw new LanguageModelOutputError('refused', 'declines')
      },
    ],
  ])('are not requested again for a query %s', async (_, completion) => {
    const { terms, requests } = modelOf(completion)
    for (let i = 0; i < 3; i++) await terms(MINE, 'h', 'query')
    expect(await terms(MINE, 'h', 'query')).toBeUndefined()
    expect(requests).toHaveLength(1)
  })

  test('a programming error is not hidden', async () => {
    const { terms } = modelOf(() => {
      throw new TypeError('a fault')
    })
    expect(terms(MINE, 'h', 'query')).rejects.toThrow('a fault')
  })
})
