import { describe, expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import { fail } from '../errors.ts'
import { asPlugin, blame } from './attribution.ts'
import { type FaultOrigin, originOf } from './fault-origin.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const CODE = [
  { plugin: 'search', module: new URL(`file://${ROOT}plugins/search/index.ts`) },
  { plugin: 'weather', module: new URL('file:///srv/weather/index.ts') },
  { plugin: 'tides', module: new URL('file:///srv/sea/tides.ts') },
  { plugin: 'waves', module: new URL('file:///srv/sea/waves.ts') },
  // This one lies beside the kernel's own folders, where `PLUGINS=./notes.ts` puts it.
  { plugin: 'notes', module: new URL(`file://${ROOT}notes.ts`) },
  { plugin: 'stars', module: new URL(`file://${ROOT}node_modules/@sky/stars/index.js`) },
]

const KERNEL = `    at flush (${ROOT}core/usage/usage-meter.ts:10:5)`
const DRIVER = `    at write (file://${ROOT}node_modules/postgres/src/connection.js:250:12)`
const RUNTIME = '    at afterConnect (node:net:2001:39)'

function errorWith(frames: string[], name = 'TypeError'): Error {
  const error = Object.assign(new Error('it broke'), { name })
  error.stack = [`${name}: it broke`, ...frames].join('\n')
  return error
}

const plugin = (id: string): FaultOrigin => ({ of: 'plugin', plugin: id })
const kernel: FaultOrigin = { of: 'kernel' }
const unknown: FaultOrigin = { of: 'unknown' }

describe('a stack tells whose a fault is', () => {
  test.each<[string, string[], FaultOrigin]>([
    ['the folder of a plugin', ['    at poll (/srv/weather/lib/poll.ts:3:9)'], plugin('weather')],
    ['a file URL, as Deno writes it', ['    at file:///srv/weather/index.ts:3:9'], plugin('weather')],
    ['the form of JavaScriptCore', ['poll@/srv/weather/index.ts:3:9'], plugin('weather')],
    ['a package of the plugin', ['    at x (/srv/weather/node_modules/postgres/src/index.js:1:1)'], plugin('weather')],
    ['a plugin that was awaited', [KERNEL, '    at async poll (/srv/weather/index.ts:3:9)'], plugin('weather')],
    ['a built-in plugin', [DRIVER, `    at fold (${ROOT}plugins/search/engine/fold.ts:3:9)`], plugin('search')],
    ['a scoped package', [`    at x (${ROOT}node_modules/@sky/stars/lib/x.js:1:1)`], plugin('stars')],
    ['a plugin that shares its folder, by its module', ['    at x (/srv/sea/tides.ts:1:1)'], plugin('tides')],
    ['a file beside two plugins', ['    at x (/srv/sea/water.ts:1:1)'], unknown],
    ['a module beside the kernel', [KERNEL, `    at x (${ROOT}notes.ts:1:1)`], plugin('notes')],
    ['the kernel', [RUNTIME, KERNEL], kernel],
    ['a package of the kernel', [DRIVER, RUNTIME], kernel],
    ['a package that the kernel does not know', [`    at x (${ROOT}node_modules/left-pad/index.js:1:1)`], unknown],
    ['nothing', [RUNTIME], unknown],
  ])('%s', (_, frames, origin) => {
    expect(originOf(errorWith(frames), 'rejection', CODE)).toEqual(origin)
  })
})

describe('where the stack says nothing of a plugin', () => {
  test('the context does', () => {
    expect(asPlugin('weather', () => originOf(errorWith([KERNEL]), 'rejection', CODE))).toEqual(plugin('weather'))
    expect(asPlugin('weather', () => originOf('no error', 'rejection', CODE))).toEqual(plugin('weather'))
  })

  test('so does what the kernel noted when the error left it, also as a cause', () => {
    const refused = errorWith([DRIVER], 'PostgresError')
    asPlugin('weather', () => blame(refused))
    expect(originOf(refused, 'rejection', CODE)).toEqual(plugin('weather'))
    expect(originOf(fail('SERVICE_UNAVAILABLE', { cause: refused }), 'rejection', CODE)).toEqual(plugin('weather'))
  })

  test('what the kernel answers is no fault of the kernel', () => {
    expect(originOf(errorWith([DRIVER], 'PostgresError'), 'rejection', CODE)).toEqual(unknown)
    expect(originOf(fail('NOT_FOUND'), 'rejection', CODE)).toEqual(unknown)
  })

  test("what is thrown under none of its frames is not a plugin's, whoever it ran for", () => {
    // A driver that writes to a lost connection has lost a slot of its pool, so the process has to start again.
    const broken = errorWith([DRIVER, '    at processTimers (node:internal/timers:512:7)'])
    expect(asPlugin('weather', () => originOf(broken, 'exception', CODE))).toEqual(kernel)
  })
})
