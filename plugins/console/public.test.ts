import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('./public/', import.meta.url))
const LIBRARY = '../../console-lib/standalone.module.js'
const scripts = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.js'))
const read = (path: string) => readFileSync(join(FOLDER, path), 'utf8')

const importsOf = (path: string) => [...read(path).matchAll(/ from '([^']+)'/g)].map(([, target]) => target ?? '')

test('scripts import files that there are, and one library', () => {
  expect(scripts.length).toBeGreaterThan(10)
  for (const script of scripts) {
    for (const target of importsOf(script)) {
      if (target === LIBRARY) continue
      const found = target.startsWith('.') && existsSync(new URL(target, new URL(script, `file://${FOLDER}`)))
      expect({ script, target, found }).toEqual({ script, target, found: true })
    }
  }
})

test('only one file names the library, and the page loads what there is', () => {
  expect(scripts.filter(script => importsOf(script).includes(LIBRARY))).toEqual(['app/library.js'])
  const addresses = [...read('index.html').matchAll(/(?:href|src)="\/console\/([^"]+)"/g)].map(([, path]) => path ?? '')
  expect(addresses.length).toBe(6)
  for (const path of addresses) expect({ path, exists: existsSync(join(FOLDER, path)) }).toEqual({ path, exists: true })
})

test('nothing in them is refused by the policy of pages: inline styles and scripts', () => {
  for (const script of scripts) {
    const refused = read(script).match(/\sstyle=|<script|javascript:|dangerouslySetInnerHTML/)
    expect({ script, refused: refused?.[0] }).toEqual({ script, refused: undefined })
  }
})

test('classes of scripts have a style', () => {
  const styles = readdirSync(FOLDER)
    .filter(path => path.endsWith('.css'))
    .map(read)
    .join('')
  const names = scripts.flatMap(script =>
    [...read(script).matchAll(/\sclass="([^"$]+)"/g)].flatMap(([, words = '']) =>
      words.split(' ').map(name => ({ script, name })),
    ),
  )
  expect(names.filter(({ name }) => !new RegExp(`\\.${name}\\b`).test(styles))).toEqual([])
})
