import { describe, expect, test } from 'bun:test'
import { coreConfig } from '../../core/config.ts'
import { coreErrors } from '../../core/errors.ts'
import { shareOf } from '../../core/http/shares.ts'
import type { AnyPlugin } from '../../core/plugin.ts'
import { builtInPlugins } from '../../server/plugins.ts'
import { filesWith, isTest, type Node, parseSource, read } from './source.ts'

const routes = builtInPlugins.flatMap(plugin => (plugin.routes ?? []).map(route => ({ plugin, route })))

/** Codes that any route may answer with, and that the reference adds by itself. */
const SHARED = new Set(Object.keys(coreErrors).filter(code => code !== 'PASSWORD_CONFIRMATION_REQUIRED'))

describe('every route', () => {
  for (const { plugin, route } of routes) {
    test(`${route.method} ${route.path} of ${plugin.id} is documented`, () => {
      expect(Object.keys(route.responses).length).toBeGreaterThan(0)
      expect(Object.keys(route.responses).every(status => /^2\d\d$/.test(status))).toBe(true)
      expect(route.summary.length).toBeGreaterThan(2)
      const names = [...route.path.matchAll(/:([^/]+)/g)].map(match => match[1])
      expect(Object.keys(route.params?.properties ?? {}).toSorted()).toEqual(names.map(String).toSorted())
    })
  }

  test('that lists in pages is of a class of which a workspace has few at once, since items may be long', () => {
    const paged = routes.filter(({ route }) => 'page_size' in Object(route.responses[200]?.properties))
    expect(paged.length).toBeGreaterThan(10)
    const light = paged.filter(({ route }) => shareOf(route, false) !== 'heavy').map(({ route }) => route.path)
    expect(light).toEqual([])
  })

  test('names no error code twice', () => {
    const odd = routes.flatMap(({ route }) =>
      (route.errors ?? [])
        .filter((code, n, all) => all.indexOf(code) !== n)
        .map(code => `${route.method} ${route.path} ${code}`),
    )
    expect(odd).toEqual([])
  })

  test('that deletes answers 204 and nothing else, or 202 with the job that does it', () => {
    const jobs = ['DELETE /v1/users/:user_id', 'DELETE /v1/users']
    const odd = routes
      // Routes with failures of their own are those of another service's interface.
      .filter(({ route }) => route.method === 'DELETE' && !route.failureBody)
      .filter(({ route }) => {
        const expected = jobs.includes(`${route.method} ${route.path}`) ? '202' : '204'
        return Object.keys(route.responses).join() !== expected
      })
      .map(({ route }) => `${route.method} ${route.path}`)
    expect(odd).toEqual([])
  })
})

test('every error code that code of a plugin throws in a route is listed with that route', () => {
  const missing = filesWith('.ts')
    .filter(path => /^plugins\/[^/]+\/routes\//.test(path) && !isTest(path))
    .flatMap(path => {
      const nodes = parseSource(path).nodes.map(({ node }) => node)
      const listed = new Set(nodes.filter(node => node.type === 'StringLiteral').map(node => String(node.get('value'))))
      const text = read(path)
      return thrownCodes(nodes)
        .filter(code => !SHARED.has(code) && !listsError(text, code, listed))
        .map(code => `${path} ${code}`)
    })
  expect(missing).toEqual([])
})

test('every error code of a plugin is one that some route names', () => {
  const named = new Set(routes.flatMap(({ route }) => route.errors ?? []))
  const unused = builtInPlugins.flatMap(plugin =>
    Object.keys(plugin.errors ?? {})
      .filter(code => !named.has(code))
      .map(code => `${plugin.id} ${code}`),
  )
  expect(unused).toEqual([])
})

test('every setting of the core and of the plugins stands in docs/settings.md with its name', () => {
  const settings = ['core', ...builtInPlugins].flatMap(owner =>
    Object.keys((typeof owner === 'string' ? coreConfig : owner.config)?.properties ?? {}),
  )
  const page = read('docs/settings.md')
  expect(settings.filter(name => !page.includes(`\`${name}\``))).toEqual([])
})

test('every variable of the environment that code reads is a setting with a schema', () => {
  const settings = new Set(
    [coreConfig, ...builtInPlugins.map((plugin: AnyPlugin) => plugin.config)].flatMap(schema =>
      Object.keys(schema?.properties ?? {}),
    ),
  )
  const unknown = filesWith('.ts')
    // The command line talks to a service elsewhere and has variables of its own, which its usage names.
    .filter(path => !isTest(path) && !path.startsWith('client/'))
    .flatMap(path =>
      parseSource(path)
        .nodes.filter(
          ({ node }) =>
            node.type === 'MemberExpression' && !node.get('computed') && isEnvironment(node.child('object')),
        )
        .map(({ node }) => String(node.child('property')?.get('name')))
        .filter(name => !settings.has(name))
        .map(name => `${path} ${name}`),
    )
  expect(unknown).toEqual([])
})

function isEnvironment(node: Node | undefined): boolean {
  return node?.get('name') === 'environment' || node?.child('property')?.get('name') === 'env'
}

/** The first arguments of calls of functions named like `fail`. */
function thrownCodes(nodes: readonly Node[]): string[] {
  return nodes
    .filter(node => node.type === 'CallExpression' && /fail/i.test(String(node.child('callee')?.get('name'))))
    .flatMap(node => {
      const list = node.get('arguments')
      const first: unknown = Array.isArray(list) ? list[0] : undefined
      const value = typeof first === 'object' && first !== null ? Reflect.get(first, 'value') : undefined
      return typeof value === 'string' && /^[A-Z_]+$/.test(value) ? [value] : []
    })
}

/** Tells whether the code stands in the file a second time, in the list of the route's errors. */
function listsError(text: string, code: string, listed: ReadonlySet<string>): boolean {
  return listed.has(code) && text.split(`'${code}'`).length > 2
}
