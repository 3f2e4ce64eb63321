import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { builtInPlugins } from '../../server/plugins.ts'
import { filesWith, ROOT, read } from './source.ts'

const documents = [
  ...readdirSync(ROOT).filter(name => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'), { encoding: 'utf8', recursive: true })
    .filter(name => name.endsWith('.md'))
    .map(name => join('docs', name)),
  ...filesWith('.md'),
]

/** A heading's anchor, as GitHub makes it. */
function anchorOf(heading: string): string {
  const shown = heading.replaceAll('`', '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  return shown
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')
}

/** The anchors of headings, and those that rows of tables name by themselves. */
function anchorsOf(path: string): string[] {
  const text = read(path)
  const named = [...text.matchAll(/<a id="([\w-]+)"><\/a>/g)].map(([, id = '']) => id)
  return [...[...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)), ...named]
}

test('every link of a document leads to a file of the repository, and to a heading in it', () => {
  const broken = documents.flatMap(document =>
    [...read(document).matchAll(/\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, path = '', anchor]) => {
        const file = path === '' ? document : normalize(join(dirname(document), path))
        if (!existsSync(join(ROOT, file))) return true
        return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).includes(anchor)
      })
      .map(([link]) => `${document} ${link}`),
  )
  expect(documents.length).toBeGreaterThan(50)
  expect(broken).toEqual([])
})

test('every file that a document names by its way from there exists', () => {
  const absent = documents
    // The pages on plugins name files of the reader's.
    .filter(document => !document.startsWith('docs/plugins'))
    .flatMap(document =>
      [...read(document).matchAll(/`(\.\.?\/[\w./-]+\.(?:ts|sql|json))`/g)]
        .map(([, path = '']) => path)
        .filter(path => !existsSync(join(ROOT, dirname(document), path)))
        .map(path => `${document} ${path}`),
    )
  expect(absent).toEqual([])
})

test('every endpoint of the service that a document names with its method is there', () => {
  const known = new Set(
    builtInPlugins.flatMap(({ routes = [] }) =>
      routes.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`),
    ),
  )
  const named = documents.flatMap(document =>
    [...read(document).matchAll(/`([A-Z]+(?:, [A-Z]+)*) (\/v1\/[\w/:.-]+)/g)].flatMap(([, methods = '', path = '']) =>
      methods.split(', ').map(method => ({ document, endpoint: `${method} ${path.replace(/:\w+/g, ':')}` })),
    ),
  )
  // Accounts sign in by routes of the kernel, and third parties' begin with `x`.
  const ours = named.filter(({ endpoint }) => !/ \/v1\/(?:auth|x)\//.test(endpoint))
  expect(ours.length).toBeGreaterThan(100)
  expect(ours.filter(({ endpoint }) => !known.has(endpoint))).toEqual([])
})

/** Finds the code in backticks, outside of blocks. */
function codeIn(document: string): string[] {
  return [
    ...read(document)
      .replace(/^```[\s\S]*?^```/gm, '')
      .matchAll(/`([^`\n]+)`/g),
  ].map(([, code = '']) => code)
}

const rooms = readdirSync(join(ROOT, 'core'), { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(({ name }) => name)

describe('the way in', () => {
  const pages = [
    'AGENTS.md',
    'CONTRIBUTING.md',
    'docs/map.md',
    ...filesWith('.md').filter(path => /^(core|packages)\//.test(path)),
  ]
  const folders = readdirSync(ROOT, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && !['node_modules', '.data', '.git', 'tmp'].includes(entry.name))
    .map(({ name }) => name)
  const files = filesWith('.ts', '.js', '.mjs', '.sql', '.json', '.md')

  /** A path is one of the repository's when it begins with a folder of it, or names a file by its kind. */
  const looksLikePath = (code: string) =>
    /^[\w.@/-]+$/.test(code) &&
    !/^[./]*$/.test(code) &&
    (folders.some(folder => code.startsWith(`${folder}/`)) || /\w\.(?:tsx?|mjs|sql|md|sh)$/.test(code))

  /** A name without a folder stands for a file of the room, or on other pages for one that several folders have. */
  function isThere(page: string, code: string): boolean {
    if (existsSync(join(ROOT, code)) || existsSync(join(ROOT, dirname(page), code))) return true
    const below = /^(core|packages)\//.test(page) ? `${dirname(page)}/` : ''
    return !code.includes('/') && files.some(path => path.startsWith(below) && path.endsWith(`/${code}`))
  }

  test('names nothing that is not there', () => {
    const absent = pages.flatMap(page =>
      codeIn(page)
        .filter(code => looksLikePath(code) && !isThere(page, code))
        .map(code => `${page} ${code}`),
    )
    expect(pages.length).toBeGreaterThan(20)
    expect(absent).toEqual([])
  })

  test('has a page for each room of the kernel, and a line for it on the map', () => {
    expect(rooms.filter(room => !existsSync(join(ROOT, 'core', room, 'README.md')))).toEqual([])
    const map = read('docs/map.md')
    expect(rooms.filter(room => !map.includes(`(../core/${room}/README.md)`))).toEqual([])
  })

  test('is short enough to be read: AGENTS.md has at most 150 lines', () => {
    expect(read('AGENTS.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150)
  })

  test('lists every decision once, under the title that it has', () => {
    const records = readdirSync(join(ROOT, 'docs/decisions')).filter(name => /^\d{4}-.*\.md$/.test(name))
    const listed = [...read('docs/decisions/README.md').matchAll(/^\| (\d+) \| \[(.+?)\]\((\S+)\) \|/gm)]
    const titled = records.map(name => ({ name, title: read(`docs/decisions/${name}`).split('\n')[0] ?? '' }))
    expect(
      listed.map(([, number, title, name]) => ({ name: String(name), title: `# ${number}. ${title}` })).sort(byName),
    ).toEqual(titled.sort(byName))
  })
})

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1
}
