import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { ENCRYPTION_KEY } from '../test/support/accounts.ts'
import { databaseUrl, emptyDatabaseUrl, ownDatabaseUrl } from '../test/support/database.ts'
import { startService } from '../test/support/service.ts'
import type { Background } from './background/precedence.ts'
import { runCommand } from './command.ts'
import type { Events } from './events/events.ts'
import { ok, routesOf } from './http/route.ts'
import { startKernel } from './kernel.ts'
import { definePlugin, eraseTypes, type Plugin } from './plugin.ts'
import { bind, defineExtensionPoint, definePort, extend } from './ports.ts'

interface Greeter {
  greet(): string
}
const greeter = definePort<Greeter>('aa.greeter')
const words = defineExtensionPoint<string>('aa.words')
const route = routesOf<{ answer(): unknown }>()

function plugin(id: string, parts: Partial<Plugin> = {}) {
  return eraseTypes(definePlugin({ id, version: '1', apiVersion: 1, setup: () => ({ scope: null }), ...parts }))
}

const start = (...builtIn: ReturnType<typeof plugin>[]) => startService({}, { builtIn })

describe('plugins', () => {
  test('are set up after what they need, and see ports and contributions of all', async () => {
    const order: string[] = []
    const owner = eraseTypes(
      definePlugin({
        id: 'aa',
        version: '1',
        apiVersion: 1,
        provides: [greeter],
        extensionPoints: [words],
        routes: [
          route({
            method: 'GET',
            path: '/v1/aa',
            access: 'public',
            summary: 'Greet',
            responses: { 200: Type.Object({ greeting: Type.String(), words: Type.Array(Type.String()) }) },
            handle: ({ scope }) => ok(scope.answer()),
          }),
        ],
        setup({ wiring }) {
          order.push('aa')
          // The look-up comes late, since plugins that follow are not set up yet.
          const answer = () => ({ greeting: wiring.use(greeter).greet(), words: wiring.extensions(words) })
          return { scope: { answer }, ports: [bind(greeter, { greet: () => 'hello' })] }
        },
      }),
    )
    const adder = (id: string, word: string, requires: string[]) =>
      plugin(id, {
        requires,
        setup() {
          order.push(id)
          return { scope: null, extensions: [extend(words, word)] }
        },
      })
    const { anonymous } = await start(adder('cc', 'third', ['aa', 'bb']), adder('bb', 'second', ['aa']), owner)
    expect(order).toEqual(['aa', 'bb', 'cc'])
    expect((await anonymous.get('/v1/aa')).body).toEqual({ greeting: 'hello', words: ['second', 'third'] })
  })

  test('that fail to set up end the start with their reason, and the next start finds everything free', async () => {
    const first = plugin('aa')
    const broken = plugin('bb', {
      setup() {
        throw new Error('the moon is down')
      },
    })
    await expect(start(first, broken)).rejects.toThrow('plugin bb: setup failed: the moon is down')
    expect((await (await start(first)).anonymous.get('/health')).status).toBe(200)
  })

  test('have what they do in the background wait while a request is under way', async () => {
    const busy = eraseTypes(
      definePlugin({
        id: 'aa',
        version: '1',
        apiVersion: 1,
        routes: [
          routesOf<{ background: Background }>()({
            method: 'GET',
            path: '/v1/aa',
            access: 'public',
            summary: 'Do something in the background',
            responses: { 200: Type.Object({ waited: Type.Boolean() }) },
            async handle({ scope: { background } }) {
              // It takes so long that the next piece is half a second away; until it is checked, only microtasks pass.
              await background.run(async () => keepBusy(200))
              let begun = false
              const next = background.run(async () => {
                begun = true
              })
              for (let turn = 0; turn < 10; turn++) await null
              const waited = !begun
              await next
              return ok({ waited })
            },
          }),
        ],
        setup: ({ background }) => ({ scope: { background } }),
      }),
    )
    expect((await (await start(busy)).anonymous.get('/v1/aa')).body).toEqual({ waited: true })
  })

  test('are stopped in reverse order, when the requests under way are answered; before that /ready says that it is near', async () => {
    const events: string[] = []
    let release: () => void = () => undefined
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    const slow = eraseTypes(
      definePlugin({
        id: 'aa',
        version: '1',
        apiVersion: 1,
        routes: [
          routesOf<null>()({
            method: 'GET',
            path: '/v1/slow',
            access: 'public',
            summary: 'Wait',
            responses: { 200: Type.Object({}) },
            async handle() {
              await held
              events.push('answered')
              return ok({})
            },
          }),
        ],
        setup: () => ({ scope: null, stop: async () => void events.push('aa stopped') }),
      }),
    )
    const later = plugin('bb', { setup: () => ({ scope: null, stop: async () => void events.push('bb stopped') }) })
    const kernel = await startKernel({
      environment: { DATABASE_URL: await databaseUrl(), ENCRYPTION_KEY, LOG_LEVEL: 'silent' },
      builtIn: [slow, later],
      loadThirdParty: async () => [],
      role: 'server',
      onFatal: () => undefined,
    })
    const get = (path: string) => kernel.fetch(new Request(`http://localhost${path}`))
    const response = get('/v1/slow')
    expect((await get('/ready')).status).toBe(200)
    expect(await (await get('/ready?checks=none')).json()).toEqual({ status: 'ready', checks: {} })
    expect((await get('/health')).headers.has('connection')).toBe(false)
    kernel.announceStop()
    for (const path of ['/ready', '/ready?checks=none']) {
      const ready = await get(path)
      expect([ready.status, await ready.json()]).toEqual([503, { status: 'stopping', checks: {} }])
    }
    // Others are served as before, on connections that end.
    const health = await get('/health')
    expect([health.status, health.headers.get('connection')]).toEqual([200, 'close'])
    const stopped = kernel.stop()
    release()
    expect([(await response).status, (await response).headers.get('connection')]).toEqual([200, 'close'])
    await stopped
    expect(events).toEqual(['answered', 'bb stopped', 'aa stopped'])
  })
})

describe('events', () => {
  test('of every plugin can be listed by each, and publishing is bound to the plugin', async () => {
    const seen: Events[] = []
    const observer = plugin('aa', {
      subscriptions: [{ event: '*', name: 'watch', handle: async () => undefined }],
      setup({ events }) {
        seen.push(events)
        return { scope: null }
      },
    })
    const made = { kind: 'bb.made', label: 'Made', description: 'Something was made.', public: true, example: { n: 1 } }
    const lost = { kind: 'bb.lost', description: 'Something was lost.', public: false }
    const service = await start(observer, plugin('bb', { emits: [made, lost] }))
    const [events] = seen
    expect(events?.kinds).toEqual([
      { ...lost, label: 'bb.lost', owner: 'bb', enabled: true },
      { ...made, owner: 'bb', enabled: true },
    ])
    const event = { kind: 'bb.made', workspaceId: randomUUID(), subjectId: null, userId: null, data: {} }
    const publish = service.database.system(async tx => events?.publish(tx, [event]))
    await expect(publish).rejects.toThrow(
      'plugin aa: publishes the event bb.made, which is not in its `emits`; it belongs to plugin bb',
    )
  })
})

describe('a command', () => {
  test("gets its plugin's scope, without routes, jobs or a first start", async () => {
    const runs = definePlugin({
      id: 'aa',
      version: '1',
      apiVersion: 1,
      commands: [
        {
          name: 'count',
          summary: 'Count.',
          async run({ scope, args, print }) {
            print(`${scope.word} ${args.join()}`)
            return 1
          },
        },
      ],
      setup: () => ({ scope: { word: 'hello' } }),
    })
    const kernel = await startKernel({
      environment: { DATABASE_URL: await ownDatabaseUrl(), ENCRYPTION_KEY: 'k'.repeat(40), LOG_LEVEL: 'silent' },
      builtIn: [eraseTypes(runs)],
      loadThirdParty: async () => [],
      role: 'command',
      onFatal: () => undefined,
    })
    const lines: string[] = []
    const [mounted] = kernel.commands
    const input = { args: ['x', 'y'], print: (line: string) => void lines.push(line), signal: AbortSignal.abort() }
    expect(mounted && (await runCommand(mounted, input))).toBe(1)
    expect(lines).toEqual(['hello x,y'])
    expect(kernel.firstStart).toBeUndefined()
    expect((await kernel.fetch(new Request('http://localhost/health'))).status).toBe(404)
    await kernel.stop()
  })
})

describe('a start', () => {
  test('does nothing before all manifests and settings are right', async () => {
    let touched = false
    const setup = () => {
      touched = true
      return { scope: null }
    }
    const options = (environment: Record<string, string>, ...builtIn: ReturnType<typeof plugin>[]) => ({
      environment: { LOG_LEVEL: 'silent', ...environment },
      builtIn,
      loadThirdParty: async () => [],
      role: 'server' as const,
      onFatal: () => undefined,
    })
    const clash = [plugin('aa', { setup }), plugin('aa', { setup })]
    await expect(startKernel(options({ DATA_DIR: '/nowhere' }, ...clash))).rejects.toThrow('declared by both aa and aa')
    await expect(startKernel(options({ PORT: 'x' }, plugin('aa', { setup })))).rejects.toThrow('PORT must be')
    expect(touched).toBe(false)
  })

  test('makes an account, a workspace and a key on an empty database, and none on the next', async () => {
    const url = await emptyDatabaseUrl()
    const first = await startService({}, { url })
    expect(first.kernel.firstStart).toMatchObject({ email: expect.stringContaining('@') })
    expect(first.kernel.firstStart?.apiKey).toMatch(/^mn_live_/)
    const second = await startService({}, { url })
    expect(second.kernel.firstStart).toBeUndefined()
  })
})

function keepBusy(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}
