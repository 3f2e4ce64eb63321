import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { service, type TestAccount } from '../test/support/service.ts'
import { runCommand } from './command.test-support.ts'

let folder: string
let account: TestAccount

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mneme-client-'))
  account = await (await service()).account()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = (words: string[], meddle?: Parameters<typeof runCommand>[2], of = account) => runCommand(words, of, meddle)

const unavailable = () =>
  Response.json(
    { status_code: 503, error: 'Service Unavailable', message: 'Soon.', error_code: 'SERVICE_UNAVAILABLE' },
    { status: 503, headers: { 'Retry-After': '1' } },
  )

const conflict = () =>
  Response.json(
    { status_code: 409, error: 'Conflict', message: 'It is still running.', error_code: 'IDEMPOTENCY_CONFLICT' },
    { status: 409, headers: { 'Retry-After': '1' } },
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
      method === 'POST' && refusals++ < 2 ? (refusals === 1 ? unavailable() : conflict()) : undefined,
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

  test('keeps a folder in step, also files of one name and of one content in several folders', async () => {
    const own = await (await service()).account()
    const root = join(folder, 'shelves')
    const write = async (place: string, text: string) => {
      await mkdir(join(root, place), { recursive: true })
      await writeFile(join(root, place, 'README.md'), text)
    }
    const texts = async () =>
      (await own.client.get('/v1/memories')).body.data.map(({ memory }: { memory: string }) => memory).toSorted()
    await write('a', 'Kurt plants beans.')
    await write('b', 'Lena plants peas.')
    for (let runs = 0; runs < 2; runs++) {
      expect((await run(['import', root, '--replace'], undefined, own)).code).toBe(0)
      expect(await texts()).toEqual(['Kurt plants beans.', 'Lena plants peas.'])
    }
    await write('b', 'Kurt plants beans.')
    expect((await run(['import', root, '--replace'], undefined, own)).code).toBe(0)
    expect(await texts()).toEqual(['Kurt plants beans.'])
    expect((await own.client.get('/v1/ingest-jobs', { query: { page_size: 1 } })).body.total).toBe(6)
  })

  test('knows documents again in another folder by the name given for it', async () => {
    const own = await (await service()).account()
    const write = async (checkout: string, text: string) => {
      const below = join(folder, checkout, 'guide')
      await mkdir(below, { recursive: true })
      await writeFile(join(below, 'start.md'), text)
      return join(folder, checkout)
    }
    const sync = (...given: string[]) => run(['import', ...given, '--replace', '--root', 'handbook'], undefined, own)
    const first = await write('checkout-1', 'Nora feeds the cat.')
    const second = await write('checkout-2', 'Nora feeds the dog.')
    for (const root of [first, second]) expect((await sync(root)).code).toBe(0)
    const { data } = (await own.client.get('/v1/memories')).body
    expect(data.map(({ memory }: { memory: string }) => memory)).toEqual(['Nora feeds the dog.'])
    const [job] = (await own.client.get('/v1/ingest-jobs')).body.data
    expect(job.document_name).toBe('handbook/guide/start.md')
    const both = await sync(first, second)
    expect([both.code, both.text]).toEqual([1, expect.stringContaining('which is named handbook/guide/start.md too')])
  })

  test('takes names that differ in their Unicode form alone for one, as the service does', async () => {
    const own = await (await service()).account()
    const write = async (name: string, text: string) => {
      const root = join(folder, text.replaceAll(/\W/g, ''))
      await mkdir(root, { recursive: true })
      await writeFile(join(root, name), text)
      return root
    }
    const roots = [
      await write('Zoë.md'.normalize('NFC'), 'Zoe feeds the owl.'),
      await write('Zoë.md'.normalize('NFD'), 'Zoe feeds the hen.'),
    ]
    const { code, text } = await run(['import', ...roots, '--replace', '--root', 'notes'], undefined, own)
    expect([code, text]).toEqual([1, expect.stringContaining('it would replace')])
    expect((await own.client.get('/v1/memories')).body.total).toBe(1)
  })

  test('leaves lines of JSON in a folder out where an option is for documents', async () => {
    const own = await (await service()).account()
    const root = join(folder, 'mixed')
    await mkdir(root, { recursive: true })
    await writeFile(join(root, 'a.md'), 'Otto grows hops.')
    await writeFile(join(root, 'b.jsonl'), '{"text": "Paula brews beer."}\n')
    const { code, text } = await run(['import', root, '--replace'], undefined, own)
    expect([code, text]).toEqual([0, expect.stringContaining('1 memories of 1 sources, 0 failed, 1 passed over')])
    expect(text).toContain(`passed over  ${join(root, 'b.jsonl')}: --replace is for documents`)
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
    expect(text).toMatch(/failed {7}.*nothing\.txt: there is no such file or folder/)
    expect(text).toContain('1 memories of 2 sources, 2 failed')
    expect(code).toBe(1)
  })

  test('says what of a document could not be read', async () => {
    const own = await (await service()).account()
    const path = join(folder, 'log.json')
    await writeFile(path, '{"note": "Quentin sings."}\n{"note": "Rosa dances."}\n{"not')
    const { code, lines } = await run(['import', path], undefined, own)
    expect([code, lines]).toEqual([
      0,
      [
        `imported     ${path}: 1 memories`,
        '             The last of its 3 lines is cut off and was left out.',
        '1 memories of 1 sources, 0 failed',
      ],
    ])
  })

  test('says which lines of an archive failed, and refuses options that are for documents', async () => {
    const own = await (await service()).account()
    const path = join(folder, 'lines.jsonl')
    await writeFile(path, '{"text": "Moritz whistles."}\n{"note": 1}\nnothing\n')
    const { code, lines } = await run(['import', path], undefined, own)
    expect([code, lines]).toEqual([
      1,
      [
        `in part      ${path}: 1 memories, 2 lines failed`,
        expect.stringContaining('line 2: has no text'),
        expect.stringContaining('line 3: is not valid JSON'),
        '1 memories of 1 sources, 1 failed',
      ],
    ])
    for (const option of [['--replace'], ['--categories', 'a']]) {
      const refused = await run(['import', path, ...option], undefined, own)
      expect([refused.code, refused.text]).toEqual([1, expect.stringContaining(`${option[0]} is for documents`)])
    }
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

test('mneme help says what there is, and is no error', async () => {
  for (const words of [['--help'], ['help'], ['export', '-h']]) {
    const { code, text } = await run(words)
    expect([code, text]).toEqual([0, expect.stringContaining('Usage:\n  bun run mneme import')])
  }
})
