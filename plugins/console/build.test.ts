import { beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { builtConsole } from './build.ts'

const SOURCES = fileURLToPath(new URL('./app/', import.meta.url))
const scripts = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(path => /\.(js|tsx?)$/.test(path))
const read = (path: string) => readFileSync(join(SOURCES, path), 'utf8')

const FIRST_BYTES_MAX = 150_000

let folder: string
beforeAll(async () => {
  folder = fileURLToPath(await builtConsole())
})

const built = (path: string) => readFileSync(join(folder, path))
const named = () =>
  [
    ...built('index.html')
      .toString()
      .matchAll(/(?:href|src)="\/console\/([^"]+)"/g),
  ].map(([, path = '']) => path)

test('the page names one script and one file of styles, which load nothing else at once', () => {
  const [icon, styles = '', script = '', ...others] = named()
  expect([icon, others]).toEqual(['icon.svg', []])
  // The bundler puts what is loaded at once before all else.
  expect(built(script).toString()).not.toStartWith('import')
  expect(built(styles).toString().includes('@import')).toBe(false)
  const compressed = [styles, script].map(name => built(`${name}.br`).length)
  expect(compressed.reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_BYTES_MAX)
})

test('what is kept for a year is there in each encoding, under a name that says so', () => {
  const kept = readdirSync(folder).filter(name => /-0x\w+\.(js|css)$/.test(name))
  expect(kept).toEqual(expect.arrayContaining(named().filter(name => name !== 'icon.svg')))
  for (const name of kept) {
    expect(brotliDecompressSync(built(`${name}.br`)).equals(built(name))).toBe(true)
    expect(gunzipSync(built(`${name}.gz`)).equals(built(name))).toBe(true)
  }
})

test('the same sources are built once', async () => {
  expect(fileURLToPath(await builtConsole())).toBe(folder)
})

test('nothing in them is refused by the policy of pages: inline styles and scripts', () => {
  for (const script of scripts) {
    const refused = read(script).match(/\sstyle=|<script|javascript:|dangerouslySetInnerHTML/)
    expect({ script, refused: refused?.[0] }).toEqual({ script, refused: undefined })
  }
})

test('classes of scripts have a style', () => {
  const styles = readdirSync(join(SOURCES, 'styles'))
    .filter(path => path.endsWith('.css'))
    .map(path => read(`styles/${path}`))
    .join('')
  const names = scripts.flatMap(script =>
    [...read(script).matchAll(/\sclass="([^"$]+)"/g)].flatMap(([, words = '']) =>
      words.split(' ').map(name => ({ script, name })),
    ),
  )
  expect(names.filter(({ name }) => !new RegExp(`\\.${name}\\b`).test(styles))).toEqual([])
})
