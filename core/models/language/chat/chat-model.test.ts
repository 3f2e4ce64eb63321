import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { inspect } from 'node:util'
import { Type } from '@sinclair/typebox'
import { serveHttp } from '../../../../test/support/http-server.ts'
import { listOf } from '../completion-shape.ts'
import { createLanguageModel } from '../create-language-model.ts'
import { languageModelConformance, type Provider, question, rejection, Witness } from '../language-model.conformance.ts'
import {
  LanguageModelOutputError,
  type LanguageModelParts,
  LanguageModelUnavailableError,
  type OpenLanguageModel,
} from '../language-model.ts'
import type { ChatModelSettings } from './chat-model.ts'
import {
  chat,
  FAKE_CHAT_KEY,
  FAKE_CHAT_MODEL,
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
const SETTINGS = {
  kind: 'http',
  url: FAKE_CHAT_URL,
  model: FAKE_CHAT_MODEL,
  apiKey: FAKE_CHAT_KEY,
  retryDelayMs: 5,
} as const
beforeAll(() => server.start())
afterEach(async () => {
  await Promise.all(opened.splice(0).map(model => model.close()))
  server.kind = 'schema'
  server.context = Number.POSITIVE_INFINITY
})
afterAll(() => server.stop())

async function open(settings: Partial<ChatModelSettings> = {}) {
  const witness = new Witness()
  const model = await createLanguageModel({ ...SETTINGS, ...settings }, witness)
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
  const model = await createLanguageModel(SETTINGS, { usage: meter, log: parts.log })
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

describe('what a model writes is read', () => {
  const call = (args: unknown) =>
    chat({ content: null, tool_calls: [{ function: { name: 'answer', arguments: args } }] }, 'stop')
  test.each<[string, unknown]>([
    ['in a fence', `\`\`\`json\n${WRITTEN}\n\`\`\``],
    ['between sentences', `Sure! Here {as asked} it is: ${WRITTEN} I hope that helps.`],
    ['after its thoughts', `<think>First {"facts": [ … no.</think>\n${WRITTEN}`],
    ['after a draft', `Draft: {"facts":[]} Better: ${WRITTEN}`],
    ['as JSON in a text', JSON.stringify(WRITTEN)],
    ['in an envelope', JSON.stringify({ name: 'answer', arguments: FACTS })],
    ['in an envelope of text', JSON.stringify({ name: 'answer', parameters: WRITTEN })],
    ['as a call in the content', `<tool_call>\n{"name": "answer", "arguments": ${WRITTEN}}\n</tool_call>`],
    ['as a list of calls', JSON.stringify([{ name: 'answer', arguments: FACTS }])],
    ['as the list alone', JSON.stringify(FACTS.facts)],
    ['as one item in place of the list', JSON.stringify({ facts: FACTS.facts[0] })],
    ['with numbers as texts', '{"facts":[{"subject":"Ada","confidence":"0.9"}]}'],
    ['as arguments that are an object', call(FACTS)],
    ['as arguments that are a text twice', call(JSON.stringify(WRITTEN))],
    ['as a call of the older kind', chat({ content: null, function_call: { arguments: WRITTEN } }, 'function_call')],
    ['in parts', chat({ content: [{ type: 'thinking' }, { type: 'text', text: WRITTEN }] }, 'stop')],
    ['among its thoughts alone', chat({ content: '', reasoning_content: WRITTEN }, 'stop')],
    ['and whole, though it never came to an end', chat({ content: `${WRITTEN}\n\n\n` }, 'length')],
  ])('%s', async (_, reply) => {
    const { model } = await open()
    server.respond(() => reply)
    expect((await model.generate(question())).value).toEqual(FACTS)
    expect(server.requests).toHaveLength(1)
  })

  test.each<[string, unknown, string]>([
    ['nothing', chat({ content: '' }, 'stop'), 'malformed'],
    ['prose', 'Ada is well.', 'malformed'],
    ['the schema itself', JSON.stringify(question().schema), 'malformed'],
    ['fields of its own', '{"people":["Ada"]}', 'malformed'],
    ['a part of an object', '{"facts":[{"subject":"Ada","confidence":1},{"sub', 'malformed'],
    ['a part of an object for want of tokens', chat({ content: '{"facts":[{"subject":"A' }, 'length'), 'truncated'],
    ['thoughts alone for want of tokens', chat({ content: null, reasoning: 'Hm, {"facts":' }, 'length'), 'truncated'],
    ['a refusal by a filter', chat({ content: '' }, 'content_filter'), 'refused'],
  ])('as no completion where it is %s', async (_, reply, reason) => {
    const { model } = await open()
    server.respond(() => (reply instanceof Response ? reply.clone() : reply))
    const error = await rejection(model.generate(question()))
    expect(error).toBeInstanceOf(LanguageModelOutputError)
    expect(error).toHaveProperty('reason', reason)
  })

  test('with nothing found where everything may be left out, and never so where it was cut off', async () => {
    const schema = Type.Object({ facts: listOf(Type.Object({ subject: Type.String() })) })
    const { model } = await open()
    server.respond(() => '{}')
    expect((await model.generate({ ...question(), schema })).value).toEqual({ facts: [] })
    server.respond(() => '{"facts":[{"subject":"Ada"},{"subject":"B')
    expect(await rejection(model.generate({ ...question(), schema }))).toHaveProperty('reason', 'malformed')
  })

  test('with choices in another spelling, and null for what may be left out', async () => {
    const relation = Type.Union([Type.Literal('WORKS_AT'), Type.Literal('KNOWS')])
    const schema = Type.Object({ relation, since: Type.Optional(Type.String()) })
    const { model } = await open()
    server.respond(() => ({ relation: 'works at', since: null }))
    expect((await model.generate({ ...question(), schema })).value).toEqual({ relation: 'WORKS_AT' })
  })

  test('with its tokens estimated where the server does not count', async () => {
    const { model, witness } = await open()
    server.respond(() => chat({ content: WRITTEN }, 'stop'))
    await model.generate(question())
    expect(witness.tokensCounted).toHaveLength(1)
    expect(witness.tokensCounted[0]?.input).toBeGreaterThan(100)
    expect(witness.tokensCounted[0]?.output).toBe(Math.ceil(WRITTEN.length / 4))
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
