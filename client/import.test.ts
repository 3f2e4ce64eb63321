import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mneme } from './mneme.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mneme-upload-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Imports a file from a service that is busy for two tries. @returns what it is sent each time */
async function sent(path: string): Promise<RequestInit[]> {
  const uploads: RequestInit[] = []
  const send = async (_: unknown, init: RequestInit = {}) => {
    if (init.method !== 'POST') return Response.json({ status: 'COMPLETED', memories_created: 1 })
    uploads.push(init)
    return uploads.length < 3 ? new Response('{}', { status: 503 }) : Response.json({ id: '1' })
  }
  const code = await mneme(['import', path, '--user', 'ada'], {
    environment: { MNEME_API_KEY: 'k' },
    terminal: {
      print: () => undefined,
      warn: () => undefined,
      input: async () => '',
      bar: () => ({ update: () => undefined, stop: () => undefined }),
    },
    service: { fetch: Object.assign(send, { preconnect: () => undefined }), pause: async () => undefined },
  })
  expect(code).toBe(0)
  return uploads
}

test.each([
  ['notes.md', 'Ada keeps bees.\r\n--\r\nAda keeps goats.\r\n'],
  ['lines.jsonl', `{"text": "Bob sails."}\n`.repeat(20_000)],
  ['a "quoted" name – ü.txt', 'Carla dives.'],
  ['empty.txt', ''],
  ['page.html', '<p>Dora skis.</p>'],
])('%s is sent as a stream of its own for each try', async (name, text) => {
  const path = join(folder, name)
  await writeFile(path, text)
  const uploads = await sent(path)
  expect(uploads).toHaveLength(3)
  for (const { body, headers = {} } of uploads) {
    expect(body).toBeInstanceOf(ReadableStream)
    const bytes = await new Response(body).arrayBuffer()
    expect(String(bytes.byteLength)).toBe(new Headers(headers).get('content-length') ?? '')
    const form = await new Response(bytes, { headers }).formData()
    expect(form.get('user_id')).toBe('ada')
    const file = form.get('file')
    if (!(file instanceof File)) throw new Error('there is no file')
    expect([decodeURIComponent(file.name), await file.text()]).toEqual([name, text])
    // The service knows a repeated request by this type, too. The reader of forms would guess one from the name.
    const [, type] = /name="file".*\r\nContent-Type: (.+)\r\n/.exec(Buffer.from(bytes).toString()) ?? []
    expect(type).toBe((await openAsBlob(path)).type)
  }
})
