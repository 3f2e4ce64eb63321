import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import {
  type ClaudeRequest,
  FAKE_CLAUDE_KEY,
  FAKE_CLAUDE_URL,
  FakeClaude,
  failure,
} from './claude/fake-claude.test-support.ts'
import { createLanguageModel } from './create-language-model.ts'
import type { LanguageEndpoint } from './endpoint.ts'
import { question, rejection, Witness } from './language-model.conformance.ts'
import { LanguageModelUnavailableError, type OpenLanguageModel } from './language-model.ts'
import { RemoteModel } from './remote-model.ts'

const claude = new FakeClaude()
const opened: OpenLanguageModel[] = []
const FACTS = { facts: [{ subject: 'Ada', confidence: 0.9 }] }
beforeAll(() => claude.start())
afterEach(async () => {
  await Promise.all(opened.splice(0).map(model => model.close()))
})
afterAll(() => claude.stop())

/** Opens a model that has served once. */
async function proven() {
  const witness = new Witness()
  const model = await createLanguageModel(
    { kind: 'claude', apiKey: FAKE_CLAUDE_KEY, model: 'claude-haiku-5-5', url: FAKE_CLAUDE_URL, retryDelayMs: 5 },
    witness,
  )
  opened.push(model)
  claude.respond(() => FACTS)
  await model.generate(question())
  return { model, witness }
}

describe('an endpoint that has served and refuses', () => {
  test('many texts serves, as one control question tells', async () => {
    const { model, witness } = await proven()
    const isBad = (request: ClaudeRequest) => request.messages[0]?.content.includes('bad') ?? false
    claude.respond(request => (isBad(request) ? failure(400, 'invalid_request_error', request) : FACTS))
    for (let i = 0; i < 4; i++) {
      expect(await rejection(model.generate(question({ input: `bad ${i}` })))).toHaveProperty('reason', 'rejected')
    }
    expect(claude.requests).toHaveLength(4 + 1)
    expect(witness.tokensCounted).toHaveLength(2)
    expect(model.available()).toBe(true)
  })

  // An empty account answers 400 invalid_request_error: https://github.com/anthropics/claude-code/issues/4208
  test('every text is away, and one line says what to mend', async () => {
    const { model, witness } = await proven()
    claude.respond(request => failure(400, 'invalid_request_error', request))
    for (let i = 0; i < 4; i++) {
      expect(await rejection(model.generate(question()))).toBeInstanceOf(LanguageModelUnavailableError)
    }
    expect(model.available()).toBe(false)
    expect(witness.lines).toHaveLength(1)
    expect(witness.lines[0]).toMatch(/^error .*400.*credit/)
  })

  test('every text a moment after a bad one is away too', async () => {
    const { model } = await proven()
    const refuse = (request: ClaudeRequest) => failure(400, 'invalid_request_error', request)
    claude.respond(request => (request.messages[0]?.content.includes('bad') ? refuse(request) : FACTS))
    expect(await rejection(model.generate(question({ input: 'bad' })))).toHaveProperty('reason', 'rejected')
    claude.respond(refuse)
    for (let i = 0; i < 3; i++) {
      expect(await rejection(model.generate(question()))).toHaveProperty('reason', 'rejected')
    }
    expect(await rejection(model.generate(question()))).toBeInstanceOf(LanguageModelUnavailableError)
    expect(model.available()).toBe(false)
  })

  test('the way it is asked is asked in another way', async () => {
    const { model } = await proven()
    claude.respond(request => (request.thinking ? failure(400, 'invalid_request_error', request) : FACTS))
    expect((await model.generate(question())).value).toEqual(FACTS)
  })
})

test('prompts under way are bounded, a workspace has its share of that, and a refused one may come back', async () => {
  const asked: string[] = []
  const gate = Promise.withResolvers<void>()
  const endpoint: LanguageEndpoint = {
    proven: true,
    forgetWay: () => undefined,
    async send({ input }) {
      asked.push(input.slice(0, 1))
      await gate.promise
      return { kind: 'completion', value: FACTS, said: '', usage: { inputTokens: 1, cachedTokens: 0, outputTokens: 1 } }
    },
  }
  const model = new RemoteModel({ concurrency: 1 }, { modelId: 'x', name: 'x', endpoint, ...new Witness() })
  const long = (letter: string, workspaceId: string) =>
    model.generate(question({ workspaceId, input: letter.repeat(3 * 1024 ** 2) }))
  const kept = [long('a', 'one'), long('b', 'other')]
  expect(await rejection(long('c', 'one'))).toMatchObject({ retryAfterMs: 5_000 })
  expect(model.holding.bytes()).toBeGreaterThan(12 * 1024 ** 2)
  gate.resolve()
  await Promise.all(kept)
  expect([asked, model.holding.bytes()]).toEqual([['a', 'b'], 0])
  await long('c', 'one')
  await model.close()
})
