import { describe, expect, test } from 'bun:test'
import { filesWith, importsAt, importsOf, isTest, parseSource, read, targetOf } from './source.ts'

/** Every forbidden reference of the files, as `file:line specifier`. */
function offences(applies: (path: string) => boolean, allowed: (path: string, target: string) => boolean): string[] {
  return filesWith('.ts', '.mjs')
    .filter(applies)
    .flatMap(path =>
      importsAt(path)
        .filter(({ specifier }) => {
          const target = targetOf(path, specifier)
          return target !== undefined && !allowed(path, target)
        })
        .map(({ specifier, line }) => `${path}:${line} ${specifier}`),
    )
}

const pluginOf = (path: string) => /^plugins\/([^/]+)/.exec(path)?.[1]
const product = (path: string) => !isTest(path)
const isContractOf = (target: string) => /^plugins\/[^/]+\/contract\.ts$/.test(target)
/** `mneme/plugin` leads to this file. */
const PUBLIC_ENTRY = 'core/public.ts'

describe('the parts of the product know only what they may', () => {
  test('the core knows no plugin and no entry point', () => {
    const mayUse = (_: string, target: string) =>
      target.startsWith('core/') || target === 'sql' || target === 'package.json'
    expect(offences(path => product(path) && path.startsWith('core/'), mayUse)).toEqual([])
  })

  test('a plugin knows the public entry, itself and the contracts of others, as a stranger does', () => {
    const mayUse = (path: string, target: string) =>
      target === PUBLIC_ENTRY || pluginOf(target) === pluginOf(path) || isContractOf(target)
    expect(offences(path => product(path) && path.startsWith('plugins/'), mayUse)).toEqual([])
  })

  test('a plugin names the public entry as a stranger does, not by where it lies', () => {
    const relative = filesWith('.ts')
      .filter(path => path.startsWith('plugins/'))
      .flatMap(path => importsAt(path).map(({ specifier }) => ({ path, specifier })))
      .filter(({ path, specifier }) => specifier.startsWith('.') && targetOf(path, specifier) === PUBLIC_ENTRY)
    expect(relative).toEqual([])
  })

  test('a contract knows no inner file of its plugin, so that nothing of it leaks', () => {
    // A long one has parts in a folder beside it, which it exports; others still import it alone. The shapes of what a plugin takes and
    // the kinds of its events are promises too.
    const isContract = (path: string) => /^plugins\/[^/]+\/(contract|contract\/[^/]+)\.ts$/.test(path)
    const mayUse = (_: string, target: string) =>
      target === PUBLIC_ENTRY || isContract(target) || /^plugins\/[^/]+\/(schemas|events)\.ts$/.test(target)
    expect(offences(isContract, mayUse)).toEqual([])
  })

  test('a package of its own knows nothing of the house, nor its name', () => {
    const own = (path: string) => path.split('/').slice(0, 2).join('/')
    const mayUse = (path: string, target: string) => own(target) === own(path)
    expect(offences(path => product(path) && path.startsWith('packages/'), mayUse)).toEqual([])
    const naming = filesWith('.ts').filter(path => path.startsWith('packages/') && /mneme/i.test(read(path)))
    expect(naming).toEqual([])
  })

  test('the entry points know the core and the manifests of plugins', () => {
    const mayUse = (_: string, target: string) =>
      /^(core\/|server\/|workers\/|package\.json$)/.test(target) || /^plugins\/[^/]+\/index\.ts$/.test(target)
    expect(offences(path => product(path) && /^(server|workers)\//.test(path), mayUse)).toEqual([])
  })

  test('no product file knows a test', () => {
    const mayUse = (_: string, target: string) => !isTest(target)
    expect(offences(product, mayUse)).toEqual([])
  })
})

describe('code runs on Bun and Deno alike', () => {
  const portable = (path: string) => product(path) && !/^(server|workers)\//.test(path)

  test('no file outside of the entry points touches an API of one runtime', () => {
    const touches = filesWith('.ts', '.mjs')
      .filter(portable)
      .flatMap(path =>
        parseSource(path)
          .nodes.filter(({ node, parent, key }) => isRuntimeGlobal(node, parent, key))
          .map(({ node }) => `${path}:${node.line} ${node.get('name')}`),
      )
    expect(touches).toEqual([])
  })

  test('no file outside of the entry points imports a module of one runtime', () => {
    const imports = filesWith('.ts', '.mjs')
      .filter(portable)
      .flatMap(path =>
        importsAt(path)
          .filter(({ specifier }) => /^(bun|bun:.*|deno:.*|jsr:.*|npm:.*|https?:.*)$/.test(specifier))
          .map(({ specifier, line }) => `${path}:${line} ${specifier}`),
      )
    expect(imports).toEqual([])
  })

  test('modules of Node are imported by their full name', () => {
    const bare =
      /^(fs|path|os|crypto|url|util|stream|events|net|http|https|zlib|worker_threads|child_process|buffer)(\/.*)?$/
    const imports = filesWith('.ts').flatMap(path =>
      importsAt(path)
        .filter(({ specifier }) => bare.test(specifier))
        .map(({ specifier, line }) => `${path}:${line} ${specifier}`),
    )
    expect(imports).toEqual([])
  })
})

function isRuntimeGlobal(
  node: Parameters<typeof importsOf>[0]['nodes'][number]['node'],
  parent: typeof node | undefined,
  key: string,
): boolean {
  const name = node.get('name')
  if (node.type !== 'Identifier' || (name !== 'Bun' && name !== 'Deno')) return false
  // A property of that name is another thing, unless it is one of the global object.
  if (parent?.type === 'MemberExpression' && key === 'property' && parent.get('computed') !== true) {
    return parent.child('object')?.get('name') === 'globalThis'
  }
  return !(parent?.type === 'ObjectProperty' && key === 'key')
}

describe('the search for imports is not fooled', () => {
  const found = (text: string) => importsOf(parseSource('core/x.ts', text)).map(({ specifier }) => specifier)

  test('by any way to name a file', () => {
    expect(found(`import a from './a.ts'`)).toEqual(['./a.ts'])
    expect(found(`import type { B } from './b.ts'`)).toEqual(['./b.ts'])
    expect(found(`export * from './c.ts'; export { d } from './d.ts'`)).toEqual(['./c.ts', './d.ts'])
    expect(found(`const e = await import('./e.ts')`)).toEqual(['./e.ts'])
    expect(found(`type F = import('./f.ts').F`)).toEqual(['./f.ts'])
    expect(found(`import g = require('./g.ts'); require('./h.ts')`)).toEqual(['./g.ts', './h.ts'])
    expect(found(`new URL('../i/', import.meta.url)`)).toEqual(['../i/'])
    expect(found(`import.meta.resolve('./j.ts')`)).toEqual(['./j.ts'])
    expect(found(`import './k.ts'`)).toEqual(['./k.ts'])
  })

  test('by comments, texts or line breaks', () => {
    expect(found(`// import a from './a.ts'\nconst text = "import b from './b.ts'"`)).toEqual([])
    expect(found(`import {\n  c,\n} /* from */ from\n'./c.ts'`)).toEqual(['./c.ts'])
  })

  test('and the search for runtime globals by properties, types or shadows of the global object', () => {
    const touches = (text: string) =>
      parseSource('core/x.ts', text).nodes.filter(({ node, parent, key }) => isRuntimeGlobal(node, parent, key)).length
    expect(touches('Bun.file("x")')).toBe(1)
    expect(touches('globalThis.Deno?.exit()')).toBe(1)
    expect(touches('const { serve } = Deno')).toBe(1)
    expect(touches('const x = { Bun: 1 }; x.Deno; "Bun.file"')).toBe(0)
  })
})
