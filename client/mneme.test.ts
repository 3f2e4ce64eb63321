import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { service, type TestAccount } from '../test/support/service.ts'
import { until } from '../test/support/wait.ts'
import { mneme, type Surroundings } from './mneme.ts'

let folder: string
let account: TestAccount

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mneme-client-'))
  account = await (await service()).account()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A command line against the service of this process; `meddle` may stand between. */
async function run(
  words: string[],
  meddle?: (request: Request) => Response | undefined | Promise<Response | undefined>,
  of = account,
) {
  const lines: string[] = []
  const send = async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init)
    return (await meddle?.(request.clone())) ?? of.client.fetch(request)
  }
  const surroundings: Surroundings = {
    environment: { MNEME_API_KEY: of.client.headers['X-Api-Key'] ?? of.client.headers['x-api-key'] },
    terminal: { print: line => lines.push(line), bar: () => ({ update: () => undefined, stop: () => undefined }) },
    service: {
      fetch: Object.assign(send, { preconnect: () => undefined }),
      // The service works in this process: a look after each turn of its loop ends as soon as it has.
      pause: () => new Promise(setImmediate),
    },
  }
  return { code: await mneme(words, surroundings), lines, text: lines.join('\n') }
}

const unavailable = () =>
  Response.json(
    { status_code: 503, error: 'Service Unavailable', message: 'Soon.', error_code: 'SERVICE_UNAVAILABLE' },
    { status: 503, headers: { 'Retry-After': '1' } },
  )

describe('mneme import', () => {
  test('imports folders with all below them, and says what it passed over', async () => {
    const root = join(folder, 'notes')
    await mkdir(join(root, 'below'), { recursive: true })
    await writeFile(join(root, 'a.md'), 'Ada keeps bees on the roof of the library.')
    await writeFile(join(root, 'below', 'b.txt'), 'Bob repairs old radios in the cellar.')
    await writeFile(join(root, 'c.jsonl'), '{"text": "Carla sails on Sundays."}\n')
    await writeFile(join(root, 'd.bin'), 'x')
    await writeFile(join(root, '.hidden.md'), 'Nobody reads this.')
    let refusals = 0
    const { code, text } = await run(['import', root, '--user', 'ada'], ({ method }) =>
      method === 'POST' && refusals++ < 2 ? unavailable() : undefined,
    )
    expect(text).toContain('3 memories of 3 sources, 0 failed, 1 passed over')
    expect(text).toContain(`passed over  ${join(root, 'd.bin')}`)
    expect(code).toBe(0)
    const found = await account.client.get('/v1/memories', { query: { user_id: 'ada' } })
    expect(found.body.data.map(({ memory }: { memory: string }) => memory).toSorted()).toEqual([
      'Ada keeps bees on the roof of the library.',
      'Bob repairs old radios in the cellar.',
      'Carla sails on Sundays.',
    ])
    const again = await run(['import', root, '--user', 'ada'])
    expect(again.code).toBe(0)
    expect((await account.client.get('/v1/memories')).body.total).toBe(3)
  })

  test('a later run brings back what was deleted or replaced since', async () => {
    const own = await (await service()).account()
    const path = join(folder, 'plan.md')
    const texts = async () =>
      (await own.client.get('/v1/memories')).body.data.map(({ memory }: { memory: string }) => memory)
    for (const text of ['Hanna plants beans.', 'Hanna plants peas.', 'Hanna plants beans.']) {
      await writeFile(path, text)
      expect((await run(['import', path, '--replace'], undefined, own)).code).toBe(0)
      expect(await texts()).toEqual([text])
    }
    const [{ id }] = (await own.client.get('/v1/ingest-jobs')).body.data
    await own.client.request('DELETE', `/v1/ingest-jobs/${id}`, { query: { memories: true } })
    expect(await texts()).toEqual([])
    expect((await run(['import', path, '--replace'], undefined, own)).code).toBe(0)
    expect(await texts()).toEqual(['Hanna plants beans.'])
  })

  test('reads JSON files as exports of other services with --archives', async () => {
    const own = await (await service()).account()
    const path = join(folder, 'mem0.json')
    await writeFile(
      path,
      JSON.stringify({ results: [{ memory: 'Gina bakes.', user_id: 'gina', categories: ['food'] }] }),
    )
    expect((await run(['import', path, '--archives'], undefined, own)).code).toBe(0)
    const { data } = (await own.client.get('/v1/memories')).body
    expect(data).toMatchObject([{ memory: 'Gina bakes.', user_id: 'gina', categories: ['food'], source: 'IMPORT' }])
  })

  test('imports into another workspace of the account, and waits for its jobs there', async () => {
    const own = await (await service()).account({ workspaces: 2 })
    const [, second = ''] = own.workspaceIds
    const client = await own.key({ workspaceIds: [second] })
    const document = join(folder, 'ivan.md')
    const archive = join(folder, 'julia.jsonl')
    await writeFile(document, 'Ivan tunes pianos.')
    await writeFile(archive, '{"text": "Julia restores clocks."}\n')
    const words = ['import', document, archive, '--workspace', second]
    for (const outcome of ['2 memories of 2 sources, 0 failed', '0 memories of 2 sources, 0 failed']) {
      const { code, text } = await run(words, undefined, { ...own, client })
      expect([code, text]).toEqual([0, expect.stringContaining(outcome)])
    }
    const total = async (workspace_id: string) =>
      (await client.get('/v1/memories', { query: { workspace_id } })).body.total
    expect(await total(second)).toBe(2)
    expect(await total(own.workspaceId)).toBe(0)
  })

  test('says what failed, imports the rest, and ends with 1', async () => {
    const broken = join(folder, 'broken.pdf')
    const fine = join(folder, 'fine.txt')
    await writeFile(broken, 'no PDF at all')
    await writeFile(fine, 'Dora paints boats.')
    const { code, text } = await run(['import', broken, fine, join(folder, 'nothing.txt')])
    expect(text).toMatch(/failed {7}.*broken\.pdf: \w/)
    expect(text).toMatch(/failed {7}.*nothing\.txt: ENOENT/)
    expect(text).toContain('1 memories of 2 sources, 2 failed')
    expect(code).toBe(1)
  })

  test('a run after one that failed, or whose memories are gone, tries again', async () => {
    const own = await (await service()).account()
    const path = join(folder, 'again.jsonl')
    await writeFile(path, '{"text": "Frida dives."}\n')
    const isFirst = { refused: false }
    // The first run is cut off after its upload, and its import ends because all memories are deleted.
    const cut = await run(
      ['import', path],
      ({ method }) => {
        if (method === 'POST' || isFirst.refused) return undefined
        isFirst.refused = true
        return Response.json({ message: 'Cut off.' }, { status: 500 })
      },
      own,
    )
    expect([cut.code, cut.text]).toEqual([1, expect.stringContaining('Cut off.')])
    const { database } = await service()
    await database.workspace(own.workspaceId, tx => tx`update exports.import set status = 'FAILED', error = 'Ended.'`)
    const again = await run(['import', path], undefined, own)
    expect([again.code, again.text]).toEqual([0, expect.stringContaining('1 sources, 0 failed')])
    expect((await own.client.get('/v1/imports')).body.total).toBe(2)
  })
})

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
    await database.workspace(own.workspaceId, tx => tx`update exports.export set expires_at = now()`)
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

  test('goes on after midnight, also without a name for the file', async () => {
    const own = await (await service()).account()
    const before = process.cwd()
    const place = await mkdtemp(join(folder, 'place-'))
    const refuse = () => {
      throw new TypeError('connection refused')
    }
    process.chdir(place)
    try {
      expect((await run(['export'], refuse, own)).code).toBe(3)
      const [note = ''] = await readdir(place)
      const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
      const yesterday = note.replace(/\d{4}-\d\d-\d\d/, found => day(Date.parse(found) - 86_400_000))
      await rename(join(place, note), join(place, yesterday))
      expect((await run(['export'], undefined, own)).lines[0]).toContain('going on')
      expect(await readdir(place)).toEqual([yesterday.replace('.part.json', '')])
    } finally {
      process.chdir(before)
    }
  })
})

describe('exit codes', () => {
  test('2 for wrong arguments, with the usage', async () => {
    for (const words of [[], ['import'], ['export', 'x'], ['delete', 'x'], ['import', 'x', '--nothing']]) {
      const { code, text } = await run(words)
      expect([words, code]).toEqual([words, 2])
      expect(text).toContain('bun run mneme import PATH|URL…')
    }
    expect((await run(['export', '--url', 'nowhere'])).code).toBe(2)
    const refused = join(folder, 'refused.xml')
    expect((await run(['export', '--format', 'xml', '--out', refused])).code).toBe(2)
    expect((await readdir(folder)).filter(name => name.startsWith('refused'))).toEqual([])
  })

  test('3 for a service that is not there or does not know the key', async () => {
    const file = join(folder, 'x.txt')
    await writeFile(file, 'Eve hums.')
    const away = await run(['import', file], () => {
      throw new TypeError('connection refused')
    })
    expect([away.code, away.text]).toEqual([3, expect.stringContaining('cannot be reached: connection refused')])
    const unknown = await run(['export', '--key', 'mn_live_unknown'])
    expect([unknown.code, unknown.text]).toEqual([3, expect.stringContaining('does not know this key')])
  })
})
