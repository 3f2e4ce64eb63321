import { beforeAll, describe, expect, test } from 'bun:test'
import { type Subject, subject, subjectWith } from './subject.ts'

let service: Subject
beforeAll(async () => {
  service = await subject()
})

const titles = (response: { body: { pages: { title: string }[] } }) => response.body.pages.map(({ title }) => title)

describe('the menu of the console', () => {
  test('lists the views for an account, in their order', async () => {
    const { signIn } = await service.account()
    const menu = await (await signIn()).get('/v1/console/menu')
    expect(menu.status).toBe(200)
    expect(titles(menu)).toEqual([
      'Overview',
      'Memories',
      'Graph',
      'Knowledge',
      'Files and pages',
      'Playground',
      'Search quality',
      'Templates',
      'Webhooks',
      'Export and import',
      'API keys',
      'Connected apps',
      'Members',
      'Settings',
    ])
  })

  test('leaves out what the plan has not, or the caller may not do', async () => {
    const { signIn, key } = await service.account({ plan: 'free' })
    const free = await (await signIn()).get('/v1/console/menu')
    expect(titles(free)).toEqual([
      'Overview',
      'Memories',
      'Playground',
      'Search quality',
      'API keys',
      'Connected apps',
      'Members',
      'Settings',
    ])
    const reader = await (await key({ permissions: ['memory.read'] })).get('/v1/console/menu')
    expect(titles(reader)).toEqual(['Memories', 'Playground'])
  })

  test('leaves out views of plugins that are switched off', async () => {
    const { account } = await subjectWith({
      PLUGINS_DISABLED: 'dashboard,graph,knowledge,webhooks,mcp',
      WORKERS: 'none',
    })
    const menu = await (await (await account()).signIn()).get('/v1/console/menu')
    expect(titles(menu)).toEqual([
      'Memories',
      'Files and pages',
      'Playground',
      'Templates',
      'Export and import',
      'API keys',
      'Connected apps',
      'Members',
      'Settings',
    ])
  })

  test('is that of the workspace that is asked for, to which the caller needs access', async () => {
    const { signIn } = await service.account()
    const other = await service.account()
    const query = { workspace_id: other.workspaceId }
    const refused = await (await signIn()).get('/v1/console/menu', { query })
    expect([refused.status, refused.body.error_code]).toEqual([403, 'WORKSPACE_ACCESS_DENIED'])
  })
})

describe('the files of the console', () => {
  const read = (path: string, accept = '*/*') =>
    service.anonymous.fetch(new Request(new URL(path, service.anonymous.base), { headers: { accept } }))

  test('are served to everybody, under a policy that allows nothing of elsewhere', async () => {
    const page = await (await read('/console/')).text()
    const [script = '', styles = ''] = [/src="([^"]+)"/, /"(\/[^"]+\.css)"/].map(sought => sought.exec(page)?.[1])
    for (const [path, type] of [
      ['/console/', 'text/html'],
      ['/console/page.css', 'text/css'],
      [styles, 'text/css'],
      [script, 'text/javascript'],
    ] as const) {
      const response = await read(path)
      expect([path, response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([path, 200, type])
      expect(response.headers.get('content-security-policy')).toContain("script-src 'self'")
      await response.body?.cancel()
    }
  })

  test('that are compressed are sent so to whom accepts it, and are kept', async () => {
    const script = /src="([^"]+)"/.exec(await (await read('/console/')).text())?.[1] ?? ''
    const ask = async (encodings: string) => {
      const url = new URL(script, service.anonymous.base)
      const { headers, body } = await service.anonymous.fetch(
        new Request(url, { headers: { 'accept-encoding': encodings } }),
      )
      await body?.cancel()
      const { 'content-encoding': encoding, vary, 'cache-control': kept } = Object.fromEntries(headers)
      return { encoding, vary, isKept: kept?.includes('immutable'), type: headers.get('content-type')?.split(';')[0] }
    }
    const sent = { vary: 'Accept-Encoding', isKept: true, type: 'text/javascript' }
    expect(await ask('gzip, deflate, br')).toEqual({ encoding: 'br', ...sent })
    expect(await ask('br;q=0, gzip')).toEqual({ encoding: 'gzip', ...sent })
    expect(await ask('identity')).toEqual({ encoding: undefined, ...sent })
  })

  test('have one page for all views', async () => {
    const [first, view] = await Promise.all([read('/console/'), read('/console/memories/x', 'text/html')])
    expect(await view.text()).toBe(await first.text())
    expect((await read('/console/app/nothing.js', 'text/html')).status).toBe(404)
  })
})
