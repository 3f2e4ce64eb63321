import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { service, type TestAccount } from '../test/support/service.ts'
import { until } from '../test/support/wait.ts'
import { runCommand } from './command.test-support.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mneme-export-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = (words: string[], meddle: Parameters<typeof runCommand>[2], of: TestAccount) =>
  runCommand(words, of, meddle)

describe('mneme export', () => {
  test('downloads everything, also when the download breaks off', async () => {
    const own = await (await service()).account()
    for (let n = 0; n < 5; n++) await own.client.post('/v1/memories', { memory: `Memory number ${n}.` })
    const out = join(folder, 'out.jsonl')
    let breaks = 0
    const { code, text } = await run(
      ['export', '--out', out],
      ({ url }) => {
        if (!url.endsWith('/download') || breaks++ > 0) return undefined
        return new Response(new ReadableStream({ start: controller => controller.error(new Error('cut')) }), {
          status: 206,
        })
      },
      own,
    )
    expect(text).toMatch(/exported {5}.*out\.jsonl: \d+ bytes/)
    expect(code).toBe(0)
    const lines = (await readFile(out, 'utf8')).trimEnd().split('\n')
    expect(lines.filter(line => line.includes('Memory number')).length).toBe(5)
    const restored = await (await service()).account()
    expect((await run(['import', out], undefined, restored)).code).toBe(0)
    expect((await restored.client.get('/v1/memories')).body.total).toBe(5)
  })
})

describe('mneme export', () => {
  test('says where memories are left out', async () => {
    const own = await (await service()).account()
    const out = join(folder, 'knowledge.jsonl')
    const { code, text } = await run(['export', '--include', 'knowledge', '--out', out], undefined, own)
    expect([code, text]).toEqual([0, expect.stringMatching(/\d+ bytes, without memories/)])
  })

  test('waits for no room that comes in hours', async () => {
    const own = await (await service()).account()
    let requests = 0
    const body = { status_code: 429, error: 'Too Many Requests', message: 'Delete one.', error_code: 'RATE_LIMITED' }
    const { code, text } = await run(
      ['export', '--out', join(folder, 'none.jsonl')],
      () => {
        requests++
        return Response.json(body, { status: 429, headers: { 'Retry-After': '7200' } })
      },
      own,
    )
    expect([code, requests, text]).toEqual([1, 1, expect.stringContaining('Delete one.')])
  })
})

describe('mneme export after a run that was cut off', () => {
  const numbered = (file: string) => file.split('\n').filter(line => line.includes('Memory number')).length

  /** A workspace of some memories, and a run whose download ended after some bytes. */
  async function cutOff(name: string) {
    const own = await (await service()).account()
    for (let n = 0; n < 5; n++) await own.client.post('/v1/memories', { memory: `Memory number ${n}.` })
    const words = ['export', '--out', join(folder, name)]
    let isCut = false
    const first = await run(
      words,
      async request => {
        if (!request.url.endsWith('/download')) return undefined
        if (isCut) throw new TypeError('connection refused')
        isCut = true
        const file = await (await own.client.fetch(request)).arrayBuffer()
        return new Response(file.slice(0, 100), { status: 206 })
      },
      own,
    )
    expect(first.code).toBe(3)
    return { own, words, out: join(folder, name) }
  }

  test('goes on with the same export from the byte that it had come to', async () => {
    const { own, words, out } = await cutOff('cut.jsonl')
    const ranges: unknown[] = []
    const second = await run(
      words,
      ({ url, headers }) => {
        if (url.endsWith('/download')) ranges.push(headers.get('range'))
        return undefined
      },
      own,
    )
    expect([second.code, second.lines[0]]).toEqual([0, expect.stringContaining('100 bytes are there')])
    expect(ranges).toEqual(['bytes=100-'])
    expect(numbered(await readFile(out, 'utf8'))).toBe(5)
    expect((await own.client.get('/v1/exports')).body.total).toBe(1)
    expect((await readdir(folder)).filter(name => name.startsWith('cut.jsonl'))).toEqual(['cut.jsonl'])
    expect((await run(words, undefined, own)).code).toBe(0)
    expect((await own.client.get('/v1/exports')).body.total).toBe(2)
  })

  test('begins the download again where the file has changed since', async () => {
    const { own, words, out } = await cutOff('changed.jsonl')
    const exported = async () => (await own.client.get('/v1/exports')).body.data[0]
    const { sha256 } = await exported()
    const [{ id }] = (await own.client.get('/v1/memories')).body.data
    await own.client.delete(`/v1/memories/${id}`)
    await until('the export is written again', async () => {
      const job = await exported()
      return job.status === 'COMPLETED' && job.sha256 !== sha256
    })
    expect((await run(words, undefined, own)).code).toBe(0)
    expect(numbered(await readFile(out, 'utf8'))).toBe(4)
    expect((await own.client.get('/v1/exports')).body.total).toBe(1)
  })

  test('makes another export where the first is gone, or other things are asked for', async () => {
    const { own, words, out } = await cutOff('gone.jsonl')
    const { database } = await service()
    await database.workspace(
      own.workspaceId,
      tx => tx`update exports.export set expires_at = now() - interval '1 second'`,
    )
    expect((await run(words, undefined, own)).code).toBe(0)
    expect(numbered(await readFile(out, 'utf8'))).toBe(5)
    const other = await cutOff('other.jsonl')
    expect((await run([...other.words, '--user', 'nobody'], undefined, other.own)).code).toBe(0)
    expect(numbered(await readFile(other.out, 'utf8'))).toBe(0)
  })
})

describe('mneme export of which nobody knows whether it began', () => {
  test('goes on with the export that the service had made of the request', async () => {
    const own = await (await service()).account()
    const words = ['export', '--out', join(folder, 'unknown.jsonl')]
    const first = await run(
      words,
      async request => {
        await own.client.fetch(request)
        throw new TypeError('connection reset')
      },
      own,
    )
    expect(first.code).toBe(3)
    expect((await run(words, undefined, own)).code).toBe(0)
    expect((await own.client.get('/v1/exports')).body.total).toBe(1)
  })

  test('leaves nothing where no request ever reached a service', async () => {
    const own = await (await service()).account()
    const place = await mkdtemp(join(folder, 'refused-'))
    const refuse = () => {
      throw Object.assign(new TypeError('Unable to connect.'), { code: 'ECONNREFUSED' })
    }
    expect((await run(['export', '--out', join(place, 'x')], refuse, own)).code).toBe(3)
    expect(await readdir(place)).toEqual([])
  })

  test('goes on after midnight, also without a name for the file', async () => {
    const own = await (await service()).account()
    const refuse = () => {
      throw new TypeError('connection refused')
    }
    await inFolder(async place => {
      expect((await run(['export'], refuse, own)).code).toBe(3)
      const [note = ''] = await readdir(place)
      const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
      const yesterday = note.replace(/\d{4}-\d\d-\d\d/, found => day(Date.parse(found) - 86_400_000))
      await rename(join(place, note), join(place, yesterday))
      expect((await run(['export'], undefined, own)).lines[0]).toContain('going on')
      expect(await readdir(place)).toEqual([yesterday.replace('.part.json', '')])
    })
  })
})

describe('mneme export without a name for the file', () => {
  test('takes the place of no other export, and goes on with its own', async () => {
    const own = await (await service()).account()
    const cut = () => {
      throw new TypeError('connection reset')
    }
    await inFolder(async place => {
      await own.client.post('/v1/memories', { memory: 'Ada keeps bees.', user_id: 'ada' })
      expect((await run(['export', '--user', 'ada'], undefined, own)).code).toBe(0)
      const [first = ''] = await readdir(place)
      expect((await run(['export', '--user', 'bob'], cut, own)).code).toBe(3)
      expect((await run(['export'], undefined, own)).code).toBe(0)
      expect((await run(['export', '--user', 'bob'], undefined, own)).lines[0]).toContain('going on')
      const numbered = [2, 3].map(n => first.replace('.jsonl', `-${n}.jsonl`))
      expect((await readdir(place)).toSorted()).toEqual([...numbered, first].toSorted())
      const hasBees = await Promise.all(
        [first, ...numbered].map(async name => (await readFile(join(place, name), 'utf8')).includes('Ada keeps bees.')),
      )
      expect(hasBees).toEqual([true, false, true])
    })
  })
})

/** Works in a new folder, as a shell does. */
async function inFolder(work: (place: string) => Promise<void>): Promise<void> {
  const before = process.cwd()
  const place = await mkdtemp(join(folder, 'place-'))
  process.chdir(place)
  try {
    await work(place)
  } finally {
    process.chdir(before)
  }
}
