import { expect, test } from 'bun:test'
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
