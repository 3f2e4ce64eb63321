import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
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

const run = (words: string[], meddle?: Parameters<typeof runCommand>[2]) => runCommand(words, account, meddle)

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

  test('3 for a service that stays away behind its proxy, which ends the import of all files', async () => {
    const root = join(folder, 'many')
    await mkdir(root)
    for (let n = 0; n < 20; n++) await writeFile(join(root, `${n}.txt`), `Eve hums tune ${n}.`)
    let asked = 0
    const { code, text } = await run(['import', root], () => {
      asked++
      return new Response('Bad Gateway', { status: 502 })
    })
    expect([code, text]).toEqual([3, expect.stringContaining('does not serve now: 502')])
    // Three work at once, and each tries six times.
    expect(asked).toBeLessThanOrEqual(18)
  })

  test('3 for a service that refuses for its own reason, which is told', async () => {
    const full = { status_code: 503, error: 'Service Unavailable', message: 'The disk is full.', error_code: 'x' }
    const out = ['--out', join(folder, 'full.jsonl')]
    const { code, text } = await run(['export', ...out], () => Response.json(full, { status: 503 }))
    expect([code, text]).toEqual([3, expect.stringContaining('does not serve now: The disk is full.')])
  })

  test.each([
    ['', 'https://mneme.example'],
    ['/memory', 'https://mneme.example/memory'],
  ])('3 for a service that is elsewhere%s, to which no key is sent', async (below, address) => {
    const elsewhere = { status: 301, headers: { location: `https://mneme.example${below}/v1/exports` } }
    const { code, text } = await run(
      ['export', '--out', join(folder, 'moved.jsonl')],
      () => new Response('', elsewhere),
    )
    expect([code, text]).toEqual([3, expect.stringContaining(`redirects to ${address}: set MNEME_URL`)])
  })

  test('a proxy that has no service for a moment is asked again, and the path of the address is kept', async () => {
    const file = join(folder, 'y.txt')
    await writeFile(file, 'Eve whistles.')
    const paths: string[] = []
    const { code } = await run(['import', file, '--url', 'http://host/below/'], request => {
      const { pathname } = new URL(request.url)
      paths.push(pathname)
      if (paths.length === 1) return new Response('', { status: 504 })
      return account.client.fetch(new Request(request.url.replace('/below/', '/'), request))
    })
    expect([code, paths.every(path => path.startsWith('/below/v1/'))]).toEqual([0, true])
  })
})
