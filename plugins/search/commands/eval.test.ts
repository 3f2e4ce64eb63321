import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../../../test/support/database.ts'
import { type HttpServer, serveHttp } from '../../../test/support/http-server.ts'
import { service, type TestAccount } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'
import { evalCommand } from './eval.ts'

let account: TestAccount
let key: string
let teaId: string
let folder: string
/** Responses that the test puts here are served before the service's own. */
const before: Response[] = []
let server: HttpServer

beforeAll(async () => {
  const { kernel, account: make } = await service()
  account = await make()
  key = account.client.headers['x-api-key'] ?? ''
  folder = await temporaryFolder()
  server = await serveHttp(request => before.shift() ?? kernel.fetch(request))
  const { body } = await account.client.post('/v1/memories/batch', {
    memories: [
      { memory: 'Ada drinks green tea every morning', user_id: 'ada', metadata: { key: 'tea' } },
      { memory: 'Bob fixed src/queue/worker.ts in v4.1.12', user_id: 'bob', metadata: { key: 'worker' } },
      { memory: 'The quarterly report is due on Friday', user_id: 'ada', metadata: { key: 'report' } },
    ],
  })
  const ids: string[] = body.results.map((result: { memory: { id: string } }) => result.memory.id)
  teaId = ids[0] ?? ''
  await until('the memories are processed', async () => {
    const memories = await Promise.all(ids.map(id => account.client.get(`/v1/memories/${id}`)))
    return memories.every(memory => memory.body.status === 'COMPLETED')
  })
})

afterAll(() => server.close())

async function questionsFile(questions: unknown): Promise<string> {
  const path = join(folder, `${crypto.randomUUID()}.json`)
  await writeFile(path, JSON.stringify(questions))
  return path
}

async function evaluate(file: string, ...args: string[]) {
  const lines: string[] = []
  const complaints: string[] = []
  const write = process.stderr.write
  process.stderr.write = (text: string | Uint8Array) => complaints.push(String(text)) > 0
  try {
    const code = await evalCommand.run({
      args: [file, '--url', server.origin, '--key', key, ...args],
      print: line => void lines.push(line),
      signal: new AbortController().signal,
    })
    return { code, text: lines.join('\n'), complaint: complaints.join('') }
  } finally {
    process.stderr.write = write
  }
}

describe('bun run search eval', () => {
  test('measures every mode on ids, texts and metadata', async () => {
    const file = await questionsFile([
      { query: 'which beverage does she like?', expected: [teaId], filters: { user_id: 'ada' } },
      {
        query: 'worker.ts',
        expected: ['Bob fixed', { metadata: { key: 'tea' } }],
        filters: { filter: { key: 'worker' } },
      },
    ])
    const { code, text } = await evaluate(file, '--json')
    const { questions, modes } = JSON.parse(text)
    expect([code, questions, modes.map(({ mode }: { mode: string }) => mode)]).toEqual([
      0,
      2,
      ['hybrid', 'semantic', 'keyword'],
    ])
    expect(modes[0]).toMatchObject({ recall_at_5: 0.75, recall_at_20: 0.75, mrr: 1, hit_at_10: 1, zero_results: 0 })
    expect(modes[0].misses).toEqual([{ query: 'worker.ts', found: 0.5, best_rank: 1 }])
    expect(modes[0].p95_ms).toBeGreaterThan(0)
    expect(modes[2]).toMatchObject({ recall_at_5: 0.25, mrr: 0.5, hit_at_10: 0.5, zero_results: 0.5 })
  })

  test('prints a table and the misses', async () => {
    const file = await questionsFile([{ query: 'worker.ts', expected: ['no such text'] }])
    const { code, text } = await evaluate(file, '--mode', 'keyword')
    expect(code).toBe(0)
    expect(text).toMatch(/^1 question\n\nmode +recall@5 .*p95 ms\nkeyword +0\.000/)
    expect(text).toContain('Not all found among the first 20 (keyword): 1\n  worker.ts: nothing expected')
  })

  test('exits with 1 when a required figure is missed', async () => {
    const file = await questionsFile([{ query: 'worker.ts', expected: ['Bob fixed'] }])
    expect((await evaluate(file, '--require', 'mrr=1', '--require', 'zero-results=0')).code).toBe(0)
    const missed = await evaluate(
      await questionsFile([{ query: 'worker.ts', expected: ['none'] }]),
      '--require',
      'mrr=.5',
    )
    expect([missed.code, missed.complaint]).toEqual([1, 'hybrid: mrr is 0; at least 0.5 was required.\n'])
  })

  test('reports warnings of the server', async () => {
    const warned = { data: [], warning: 'No model at the moment.' }
    before.push(Response.json(warned), Response.json(warned))
    const { text } = await evaluate(await questionsFile([{ query: 'x', expected: ['y'] }]), '--mode', 'hybrid')
    expect(text).toContain('hybrid: 1 responses warned: No model at the moment.')
  })

  test('waits when the server limits the request rate', async () => {
    before.push(new Response('{}', { status: 429, headers: { 'Retry-After': '0.01' } }))
    const file = await questionsFile([{ query: 'worker.ts', expected: ['Bob fixed'] }])
    expect(await evaluate(file, '--mode', 'keyword')).toMatchObject({ code: 0, complaint: '' })
  })
})

describe('a failure is reported in one sentence', () => {
  let file: string
  beforeAll(async () => {
    file = await questionsFile([{ query: 'x', expected: ['y'], filters: { created_after: 'soon' } }])
  })

  test('an invalid file: 2', async () => {
    const bad = await evaluate(await questionsFile([{ query: 'x' }]))
    expect(bad.code).toBe(2)
    expect(bad.complaint).toContain('question 1: expected is missing')
    expect((await evaluate('/no/such/file')).code).toBe(2)
  })

  test.each([
    [['--mode', 'fuzzy'], '--mode is one of hybrid, semantic, keyword, not fuzzy.'],
    [['--url', 'localhost'], '--url takes an address'],
    [['--require', 'recall@7=1'], '--require takes FIGURE=VALUE'],
    [['--require', 'mrr=1.5'], '--require takes FIGURE=VALUE'],
    [['--require', 'mrr=2'], '--require takes FIGURE=VALUE'],
    [['--misses', 'x'], '--misses takes a number'],
    [['--key', ''], 'An API key is missing'],
    [['more.json'], 'Name one file'],
    [['--fast'], 'Unknown option'],
  ])('arguments %j: 2', async (args, message) => {
    const { code, complaint } = await evaluate(file, ...args)
    expect(code).toBe(2)
    expect(complaint).toContain(message)
  })

  test('a refusal of the server, with its details: 1', async () => {
    const { code, complaint } = await evaluate(file)
    expect(code).toBe(1)
    expect(complaint).toContain('The server answered 400 to "x"')
    expect(complaint).toContain('created_after')
    expect((await evaluate(file, '--key', 'mn_live_wrong')).complaint).toContain('The server answered 401')
  })

  test('no server, or another one: 1', async () => {
    expect(await evaluate(file, '--base', 'http://127.0.0.1:1')).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('http://127.0.0.1:1 does not respond'),
    })
    before.push(new Response('<html>'))
    expect((await evaluate(file)).complaint).toContain('responds, but not like Mneme')
  })
})
