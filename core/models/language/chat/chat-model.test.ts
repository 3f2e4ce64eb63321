import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { inspect } from 'node:util'
import { Type } from '@sinclair/typebox'
import { serveHttp } from '../../../../test/support/http-server.ts'
import { type ChatModelSettings, createLanguageModel } from '../create-language-model.ts'
import { languageModelConformance, type Provider, question, rejection, Witness } from '../language-model.conformance.ts'
import { type LanguageModelParts, LanguageModelUnavailableError, type OpenLanguageModel } from '../language-model.ts'
import {
  chat,
  FAKE_CHAT_KEY,
  FAKE_CHAT_SETTINGS,
  FAKE_CHAT_URL,
  FakeChat,
  failure,
  HttpResponse,
  type ServerKind,
} from './fake-chat.test-support.ts'

const server = new FakeChat()
const opened: OpenLanguageModel[] = []
const FACTS = { facts: [{ subject: 'Ada', confidence: 0.9 }] }
const WRITTEN = JSON.stringify(FACTS)
beforeAll(() => server.start())
afterEach(async () => {
  await Promise.all(opened.splice(0).map(model => model.close()))
  server.kind = 'schema'
  server.context = Number.POSITIVE_INFINITY
})
afterAll(() => server.stop())

async function open(settings: Partial<ChatModelSettings> = {}) {
  const witness = new Witness()
  const model = await createLanguageModel({ ...FAKE_CHAT_SETTINGS, ...settings }, witness)
  opened.push(model)
  return { model, witness }
}

const provider: Provider = {
  complete: (...values) => server.respond((_, attempt) => values[Math.min(attempt, values.length) - 1]),
  refuse: () => server.respond(() => chat({ content: null, refusal: 'I cannot' }, 'stop')),
  truncate: () => server.respond(() => ({ facts: [{ subject: 'x'.repeat(4_000), confidence: 1 }] })),
  overload: (times, retryAfter, value) => failFirst(times, 503, 'overloaded', retryAfter, value),
  limitRate: (times, retryAfter, value) => failFirst(times, 429, 'rate_limit_exceeded', retryAfter, value),
  hang: () => server.respond(() => new Promise(() => undefined)),
  requests: () => server.requests.length,
}

function failFirst(times: number, status: number, code: string, retryAfter: number | undefined, value: unknown): void {
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  server.respond((request, attempt) => (attempt <= times ? failure(status, code, request, headers) : value))
}

/** The way is found before the suite counts requests and tokens. */
async function openWithWay(parts: LanguageModelParts, kind: ServerKind): Promise<OpenLanguageModel> {
  server.kind = kind
  let usage: LanguageModelParts['usage'] = new Witness().usage
  const meter: LanguageModelParts['usage'] = { tokens: (...given) => usage.tokens(...given) }
  const model = await createLanguageModel(FAKE_CHAT_SETTINGS, { usage: meter, log: parts.log })
  provider.complete(FACTS)
  await model.generate(question())
  usage = parts.usage
  return model
}

for (const kind of ['schema', 'tools'] as const) {
  languageModelConformance(`a server that takes ${kind}`, provider, parts => openWithWay(parts, kind))
}

describe('what a server is asked', () => {
  test.each<[ServerKind, number]>([
    ['schema', 1],
    ['reasoning', 2],
    ['tools', 3],
    ['no system', 4],
    ['object', 5],
    ['plain', 6],
  ])('is in the way that one with %j takes, found out once', async (kind, tries) => {
    server.kind = kind
    const { model } = await open()
    provider.complete(FACTS)
    for (let i = 0; i < 3; i++) expect((await model.generate(question())).value).toEqual(FACTS)
    expect(server.requests).toHaveLength(tries + 2)
  })

  test('has the schema with its bounds in the instructions, and without them where a grammar is made of it', async () => {
    const { model } = await open()
    provider.complete({ ...FACTS, kind: 'a' })
    const kind = Type.Union([Type.Literal('a'), Type.Literal('b')], { description: 'The kind.' })
    await model.generate({ ...question(), schema: Type.Object({ ...question().schema.properties, kind }) })
    const [sent] = server.requests
    expect(sent?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
    expect(sent?.messages[0]?.content).toContain('"maxItems":50')
    expect(sent?.messages[0]?.content).toContain('never followed')
    expect(sent?.messages[1]?.content).toBe('a private text of Ada')
    expect(sent?.response_format?.json_schema?.schema).toEqual({
      type: 'object',
      properties: {
        facts: {
          type: 'array',
          items: {
            type: 'object',
            properties: { subject: { type: 'string' }, confidence: { type: 'number' } },
            required: ['subject', 'confidence'],
            additionalProperties: false,
          },
        },
        kind: { description: 'The kind.', enum: ['a', 'b'] },
      },
      required: ['facts', 'kind'],
      additionalProperties: false,
    })
  })

  test('is valid Unicode and never empty', async () => {
    const { model } = await open()
    provider.complete(FACTS)
    await model.generate(question({ input: '\ud800a' }))
    await model.generate(question({ input: ' ' }))
    expect(server.requests.map(request => request.messages[1]?.content)).toEqual(['\ufffda', '(empty)'])
  })

  test('to mend a completion holds that completion and where it does not fit, once', async () => {
    const { model } = await open()
    provider.complete({ facts: [{ subject: 'Ada', confidence: 'high' }] }, FACTS)
    expect((await model.generate(question())).value).toEqual(FACTS)
    const [, , said, fault] = server.requests[1]?.messages ?? []
    expect(said).toEqual({ role: 'assistant', content: '{"facts":[{"subject":"Ada","confidence":"high"}]}' })
    expect(fault?.content).toContain('/facts/0/confidence: Expected number')
    provider.complete('I would rather not write JSON.')
    expect(await rejection(model.generate(question()))).toHaveProperty('reason', 'malformed')
    expect(server.requests).toHaveLength(2)
  })

  test('leaves room for the input in a small context', async () => {
    server.context = 4_096
    const { model } = await open()
    provider.complete(FACTS)
    expect((await model.generate(question({ maxTokens: 8_000 }))).value).toEqual(FACTS)
    expect(server.requests.at(-1)?.max_tokens).toBe(2_000)
    expect(await rejection(model.generate(question({ input: 'x'.repeat(20_000), maxTokens: 8_000 })))).toHaveProperty(
      'reason',
      'rejected',
    )
    expect((await model.generate(question())).value).toEqual(FACTS)
  })

  test('is never more at once than configured', async () => {
    const { model } = await open({ concurrency: 1 })
    provider.complete(FACTS)
    await Promise.all(Array.from({ length: 5 }, () => model.generate(question())))
    expect(server.concurrencySeen).toBe(1)
  })
})

describe('when a server refuses us', () => {
  test.each([
    [401, 'invalid_api_key', 'LANGUAGE_MODEL_API_KEY'],
    [402, 'payment_required', 'payment'],
    [403, 'forbidden', 'may not use'],
    [404, 'model_not_found', 'LANGUAGE_MODEL_NAME'],
    [405, 'method_not_allowed', 'LANGUAGE_MODEL_URL'],
    [429, 'insufficient_quota', 'payment'],
  ])('with %d (%s), nothing is repeated, and one line says what to mend', async (status, code, advice) => {
    const { model, witness } = await open()
    server.respond(request => failure(status, code, request))
    expect(await rejection(model.generate(question()))).toBeInstanceOf(LanguageModelUnavailableError)
    for (let i = 0; i < 5; i++) await rejection(model.generate(question({ priority: 'interactive' })))
    expect(server.requests).toHaveLength(1)
    expect(model.available()).toBe(false)
    expect(witness.lines).toHaveLength(1)
    expect(witness.lines[0]).toMatch(/^error /)
    expect(witness.lines[0]).toContain(advice)
  })

  test.each([
    ['for a text that is too long', 413, {}],
    ['for a text that a filter flags', 403, { metadata: { reasons: ['violence'], flagged_input: 'private' } }],
  ])('%s, the next is served', async (_, status, more) => {
    const { model } = await open()
    const isLong = (text = '') => text.length > 100
    server.respond(request =>
      isLong(request.messages[1]?.content) ? failure(status, 'refused', request, {}, more) : FACTS,
    )
    await model.generate(question())
    const error = await rejection(model.generate(question({ input: 'x'.repeat(200) })))
    expect(error).toHaveProperty('reason', 'rejected')
    expect((await model.generate(question())).value).toEqual(FACTS)
  })

  test('every time, it counts as away and not as many bad texts', async () => {
    const { model, witness } = await open()
    server.respond(request => failure(400, 'invalid_request_error', request))
    for (let i = 0; i < 6; i++) {
      expect(await rejection(model.generate(question()))).toBeInstanceOf(LanguageModelUnavailableError)
    }
    expect(server.requests).toHaveLength(18)
    expect(witness.lines).toHaveLength(1)
  })

  test('a server that breaks on the schema is asked in another way', async () => {
    const { model } = await open()
    server.respond(request => (request.response_format ? failure(500, 'server_error', request) : FACTS))
    expect((await model.generate(question())).value).toEqual(FACTS)
    expect(server.requests.at(-1)?.tools).toHaveLength(1)
  })
})

describe('when a server is away', () => {
  test.each<[string, () => Response]>([
    ['a lost connection', () => HttpResponse.error()],
    ['a page of a proxy', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['no choices', () => HttpResponse.json({ choices: [], usage: {} })],
    ['a provider that failed in the middle', () => HttpResponse.json({ error: { code: 502, message: 'private' } })],
    [
      'a choice that failed',
      () => HttpResponse.json({ choices: [{ finish_reason: 'error', message: { content: WRITTEN } }] }),
    ],
    ['an endless completion', () => new Response('x'.repeat(5_000_000))],
  ])('%s is tried again', async (_, bad) => {
    const { model } = await open()
    server.respond((_, attempt) => (attempt === 1 ? bad() : FACTS))
    expect((await model.generate(question())).value).toEqual(FACTS)
    expect(server.requests).toHaveLength(2)
  })

  test('a request that hangs is tried again while there is time', async () => {
    const { model } = await open({ requestTimeoutMs: 500 })
    server.respond((_, attempt) => (attempt === 1 ? new Promise(() => undefined) : FACTS))
    expect((await model.generate(question())).value).toEqual(FACTS)
  })

  test('and nobody is at the address, one call is over soon, tells it and keeps all others from it', async () => {
    const gone = await serveHttp(async () => new Response())
    gone.close()
    const { model, witness } = await open({ url: gone.origin, retryDelayMs: 1 })
    expect(model.outage()).toBeUndefined()
    expect(await rejection(model.generate(question()))).toBeInstanceOf(LanguageModelUnavailableError)
    expect([model.available('background'), model.available('interactive')]).toEqual([false, false])
    expect(model.outage()).toEqual({ message: expect.stringMatching(/^cannot be reached/), at: expect.any(Date) })
    expect(witness.lines).toEqual([expect.stringMatching(/^warn .+ cannot be reached .+ for 15 s or more/)])
  })

  test('a redirect is not followed with the key', async () => {
    const { model } = await open()
    const location = `${FAKE_CHAT_URL}/v1/chat/completions`
    server.respond(() => new Response(null, { status: 307, headers: { location } }))
    expect(await rejection(model.generate(question()))).toBeInstanceOf(LanguageModelUnavailableError)
    expect(server.requests).toHaveLength(1)
  })

  test('no line and no error holds a text or the key', async () => {
    const { model, witness } = await open({ retryDelayMs: 1 })
    const errors: unknown[] = []
    for (const status of [503, 429, 400, 401]) {
      server.respond(request => failure(status, 'failed', request))
      for (let i = 0; i < 4; i++) errors.push(await rejection(model.generate(question({ timeoutMs: 50 }))))
    }
    const said = witness.lines.join() + errors.map(error => inspect(error, { depth: 10, showHidden: true })).join()
    expect(witness.lines.length).toBeGreaterThan(0)
    expect(said).not.toContain('private')
    expect(said).not.toContain(FAKE_CHAT_KEY)
  })
})

test('a server on this machine is reached without a key, at any form of its address', async () => {
  const local = await serveHttp(async request => {
    const { pathname } = new URL(request.url)
    const right = pathname === '/v1/chat/completions' && !request.headers.has('authorization')
    return right ? chat({ content: WRITTEN }, 'stop') : new Response(null, { status: 404 })
  })
  for (const path of ['', '/', '/v1', '/v1/', '/v1/chat/completions']) {
    const model = await createLanguageModel(
      { kind: 'http', url: `${local.origin}${path}`, model: 'any' },
      new Witness(),
    )
    expect((await model.generate(question())).value).toEqual(FACTS)
    await model.close()
  }
  local.close()
})

test('settings that cannot work are told in a sentence without their value', async () => {
  const bad = [
    { apiKey: 'sk-bad\n' },
    { url: `http://user:${FAKE_CHAT_KEY}@host` },
    { url: `ftp://${FAKE_CHAT_KEY}` },
    { url: FAKE_CHAT_KEY },
  ]
  for (const settings of bad) {
    const error = await rejection(open(settings))
    expect(error).toBeInstanceOf(Error)
    expect(inspect(error)).toMatch(/LANGUAGE_MODEL_/)
    expect(inspect(error)).not.toContain(FAKE_CHAT_KEY)
    expect(inspect(error)).not.toContain('sk-bad')
  }
})
