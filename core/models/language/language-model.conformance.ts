import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { inspect } from 'node:util'
import { Type } from '@sinclair/typebox'
import {
  type GenerateRequest,
  LanguageModelOutputError,
  type LanguageModelParts,
  LanguageModelUnavailableError,
  type OpenLanguageModel,
} from './language-model.ts'

export const factsSchema = Type.Object({
  facts: Type.Array(Type.Object({ subject: Type.String({ minLength: 1 }), confidence: Type.Number() }), {
    maxItems: 50,
  }),
})

export function question(changes: Partial<GenerateRequest<typeof factsSchema>> = {}) {
  return {
    operation: 'enrichment',
    workspaceId: '00000000-0000-4000-8000-000000000001',
    system: 'Draw the facts from the text.',
    input: 'a private text of Ada',
    schema: factsSchema,
    maxTokens: 500,
    ...changes,
  } as const
}

/** The conformance suite tells the provider behind the model to behave so. */
export interface Provider {
  /** Completes with these values, one a request, the last one again and again. */
  complete(...values: unknown[]): void
  refuse(): void
  truncate(): void
  /** Is overloaded for so many requests, asking for a pause, then completes with `value`. */
  overload(times: number, retryAfterSeconds: number | undefined, value: unknown): void
  limitRate(times: number, retryAfterSeconds: number, value: unknown): void
  /** Takes requests and never responds. */
  hang(): void
  /** Lists calls all of whose requests the provider has seen since its last instruction. */
  requests(): number
}

/** Records what came to the usage meter and to the log. */
export class Witness implements LanguageModelParts {
  readonly tokensCounted: { workspaceId: string; operation: string; input: number; output: number }[] = []
  readonly lines: string[] = []
  readonly usage = {
    tokens: (workspaceId: string, operation: string, input: number, output = 0) =>
      void this.tokensCounted.push({ workspaceId, operation, input, output }),
    request: () => undefined,
  }
  readonly #line = (level: string) => (said: unknown) => void this.lines.push(`${level} ${inspect(said)}`)
  readonly log = { info: this.#line('info'), warn: this.#line('warn'), error: this.#line('error') }
}

const FACTS = { facts: [{ subject: 'Ada', confidence: 0.9 }] }

/** Tests that every language model must pass. `create` makes a fresh one, which the suite closes. */
export function languageModelConformance(
  name: string,
  provider: Provider,
  create: (parts: LanguageModelParts) => Promise<OpenLanguageModel>,
): void {
  describe(`${name} as a language model`, () => {
    let model: OpenLanguageModel
    let witness: Witness
    const fresh = async () => {
      await model?.close()
      witness = new Witness()
      model = await create(witness)
    }
    beforeAll(fresh)
    afterAll(() => model.close())
    const call = (changes?: Parameters<typeof question>[0]) => rejection(model.generate(question(changes)))

    test('completes in the form that was asked for, with its tokens counted for the workspace', async () => {
      provider.complete(FACTS)
      expect(model.available()).toBe(true)
      const { value, usage } = await model.generate(question())
      expect(value).toEqual(FACTS)
      expect(usage.inputTokens).toBeGreaterThan(0)
      expect(witness.tokensCounted).toEqual([
        {
          workspaceId: question().workspaceId,
          operation: 'enrichment',
          input: usage.inputTokens,
          output: usage.outputTokens,
        },
      ])
    })

    test('drops what the form does not name and what no database takes', async () => {
      provider.complete({ facts: [{ subject: 'A\0d\ud800a', confidence: 1, note: 'x' }], delete: 'everything' })
      expect((await model.generate(question())).value).toEqual({ facts: [{ subject: 'Ad\ufffda', confidence: 1 }] })
    })

    test('asks once more when the form is wrong, and says so when it is wrong again', async () => {
      provider.complete({ facts: 'none' }, FACTS)
      expect((await model.generate(question())).value).toEqual(FACTS)
      provider.complete({ facts: [{ subject: '' }] })
      expectFault(await call(), 'malformed')
      expect(provider.requests()).toBe(2)
    })

    test('counts the tokens of completions that are of no use', async () => {
      await fresh()
      provider.complete({ facts: 'none' })
      const error = await call()
      expect(witness.tokensCounted).toHaveLength(2)
      const counted = () => witness.tokensCounted.reduce((sum, { input, output }) => sum + input + output, 0)
      expect(error).toHaveProperty('tokens', counted())
      await fresh()
      provider.complete({ facts: 'none' }, FACTS)
      const { usage } = await model.generate(question())
      expect(usage.inputTokens + usage.outputTokens).toBe(counted())
    })

    test.each([
      ['refused', () => provider.refuse()],
      ['truncated', () => provider.truncate()],
    ] as const)('does not repeat what was %s, and goes on serving', async (reason, prepare) => {
      prepare()
      expectFault(await call(), reason)
      expect(provider.requests()).toBe(1)
      expect(model.available()).toBe(true)
    })

    testOverload(provider, () => model, fresh)
    testLimits(provider, () => model, fresh)
  })
}

function testOverload(provider: Provider, model: () => OpenLanguageModel, fresh: () => Promise<void>): void {
  test('waits out an overload that is short enough', async () => {
    provider.overload(2, undefined, FACTS)
    expect((await model().generate(question())).value).toEqual(FACTS)
    expect(provider.requests()).toBe(3)
    provider.limitRate(1, 1, FACTS)
    const start = performance.now()
    expect((await model().generate(question())).value).toEqual(FACTS)
    expect(performance.now() - start).toBeGreaterThanOrEqual(990)
  })

  test('gives up at once when the pause asked for is past the time there is, and costs nothing until then', async () => {
    await fresh()
    provider.overload(1, 60, FACTS)
    const error = await rejection(model().generate(question({ timeoutMs: 5_000 })))
    expect(error).toBeInstanceOf(LanguageModelUnavailableError)
    expect(error).toHaveProperty('retryAfterMs', 60_000)
    expect(model().available()).toBe(false)
    expect(model().available('interactive')).toBe(false)
    expect(await rejection(model().generate(question()))).toBeInstanceOf(LanguageModelUnavailableError)
    expect(provider.requests()).toBe(1)
    await fresh()
  })
}

function testLimits(provider: Provider, model: () => OpenLanguageModel, fresh: () => Promise<void>): void {
  test('ends a call that takes longer than its caller waits', async () => {
    // There is never a completion: a call that went on waiting would not end.
    provider.hang()
    const error = await rejection(model().generate(question({ timeoutMs: 60 })))
    expect(error).toBeInstanceOf(LanguageModelUnavailableError)
  })

  test('a model too slow for those who wait still serves the background', async () => {
    await fresh()
    provider.hang()
    for (let i = 0; i < 3; i++) {
      await rejection(model().generate(question({ timeoutMs: 30, priority: 'interactive' })))
    }
    expect(model().available('interactive')).toBe(false)
    provider.complete(FACTS)
    expect((await model().generate(question())).value).toEqual(FACTS)
  })

  test('ends a call with the reason of its signal', async () => {
    provider.hang()
    const controller = new AbortController()
    const call = rejection(model().generate(question({ signal: controller.signal })))
    const reason = new Error('the user went away')
    controller.abort(reason)
    expect(await call).toBe(reason)
    expect(await rejection(model().generate(question({ signal: AbortSignal.abort(reason) })))).toBe(reason)
  })

  test('no error holds the text', async () => {
    await fresh()
    for (const prepare of [
      () => provider.refuse(),
      () => provider.complete({}),
      () => provider.overload(1, 60, FACTS),
    ]) {
      prepare()
      const error = await rejection(model().generate(question({ timeoutMs: 5_000 })))
      expect(error).toBeInstanceOf(Error)
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('private')
    }
  })

  test('refuses more tokens than a completion may have', async () => {
    await fresh()
    expect(await rejection(model().generate(question({ maxTokens: 1_000_000 })))).toBeInstanceOf(RangeError)
  })

  test('after it is closed refuses what comes and ends what is under way', async () => {
    provider.hang()
    const call = rejection(model().generate(question()))
    await model().close()
    expect(await call).toBeInstanceOf(LanguageModelUnavailableError)
    expect(model().available()).toBe(false)
    expect(await rejection(model().generate(question()))).toBeInstanceOf(LanguageModelUnavailableError)
  })
}

function expectFault(error: unknown, reason: string): void {
  expect(error).toBeInstanceOf(LanguageModelOutputError)
  expect(error).toHaveProperty('reason', reason)
}

export function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    error => error,
  )
}
