import { expect, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fakeWorld } from '../../test/support/fake-world.ts'
import { createApp } from '../http/app.ts'
import { createCors } from '../http/cors.ts'
import { PAGE_HEADERS } from './page-folder.ts'
import { mountPages } from './page-routes.ts'

async function withPage(work: (folder: string, get: (enabled?: boolean) => Promise<Response>) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-page-'))
  try {
    await writeFile(join(folder, 'index.html'), 'first')
    const world = fakeWorld({ steps: [] })
    const pages = [{ path: '/desk', folder: pathToFileURL(folder) }]
    const [on, off] = [true, false].map(enabled =>
      createApp(mountPages(pages, { id: 'desk', enabled }, world.wiring), world, createCors([])),
    )
    await work(folder, async (enabled = true) => {
      const response = await (enabled ? on : off)?.(new Request('http://localhost/desk/'))
      if (!response) throw new Error('there is no app')
      return response
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test('a page of a plugin that is switched off answers as its routes do', async () => {
  await withPage(async (_, get) => {
    const response = await get(false)
    expect([response.status, (await response.json()).error_code]).toEqual([403, 'FEATURE_NOT_ENABLED'])
    for (const [name, value] of Object.entries(PAGE_HEADERS)) expect(response.headers.get(name)).toBe(value)
  })
})

test('a file that changes has another version, also with as many bytes', async () => {
  await withPage(async (folder, get) => {
    const first = await get()
    expect(await first.text()).toBe('first')
    await writeFile(join(folder, 'index.html'), 'other')
    const second = await get()
    expect(await second.text()).toBe('other')
    expect(second.headers.get('etag')).not.toBe(first.headers.get('etag'))
  })
})

test('browsers are led from / to the page that people begin with, and nothing else is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-page-'))
  try {
    const world = fakeWorld({ steps: [] })
    const pages = [{ path: '/desk', folder: pathToFileURL(folder), isHome: true }]
    const app = createApp(mountPages(pages, { id: 'desk', enabled: true }, world.wiring), world, createCors([]))
    const ask = (accept: string) => app(new Request('http://localhost/', { headers: { accept } }))
    const led = await ask('text/html,application/xhtml+xml,*/*;q=0.8')
    expect([led.status, led.headers.get('location'), led.headers.get('vary')]).toEqual([302, '/desk/', 'Accept'])
    for (const accept of ['*/*', 'application/json', 'text/html;q=0']) {
      const response = await ask(accept)
      expect([response.status, (await response.json()).error_code]).toEqual([404, 'NOT_FOUND'])
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
