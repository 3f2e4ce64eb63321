import { describe, expect, test } from 'bun:test'
import { circlesIn, type ImportGraph } from './circles.ts'
import { filesWith, importsAt, isTest, targetOf } from './source.ts'

/** Relative imports and those of this package's entries; `import type` counts, since a reader has to follow it as well. */
function importGraph(): ImportGraph {
  const files = filesWith('.ts', '.mjs')
  const known = new Set(files)
  return new Map(
    files.map(path => {
      const targets = importsAt(path).map(({ specifier }) => targetOf(path, specifier))
      return [path, targets.filter(target => target !== undefined && known.has(target)).map(String)]
    }),
  )
}

/** Folders of a plugin by those whose files theirs import; tests may look into any. */
function folderGraph(plugin: string): ImportGraph {
  const folderOf = (path: string) => (path.startsWith(`${plugin}/`) ? path.split('/')[2] : undefined)
  const folders = new Map<string, string[]>()
  for (const [path, targets] of importGraph()) {
    const folder = folderOf(path)
    if (folder === undefined || folder.endsWith('.ts') || isTest(path)) continue
    const others = targets.flatMap(target => folderOf(target) ?? []).filter(other => other !== folder)
    folders.set(folder, [...(folders.get(folder) ?? []), ...others])
  }
  return folders
}

test('no file imports one that leads back to it, also not for its types', () => {
  expect(circlesIn(importGraph())).toEqual([])
})

test('no folder of the search plugin imports one that leads back to it', () => {
  expect(circlesIn(folderGraph('plugins/search'))).toEqual([])
})

describe('the search for circles', () => {
  const circles = (imports: Record<string, string[]>) => circlesIn(new Map(Object.entries(imports)))

  test('names the files of each, and no file that only leads there', () => {
    const imports = { main: ['b'], a: ['b'], b: ['c'], c: ['a', 'leaf'], leaf: [], x: ['y', 'b'], y: ['x'] }
    expect(circles(imports)).toEqual([
      ['a', 'b', 'c'],
      ['x', 'y'],
    ])
  })

  test('takes circles that share a file for one', () => {
    expect(circles({ a: ['b', 'c'], b: ['a'], c: ['a'] })).toEqual([['a', 'b', 'c']])
  })

  test('finds a file that imports itself', () => {
    expect(circles({ a: ['a'], b: ['a'] })).toEqual([['a']])
  })

  test('is not misled by two ways to one file', () => {
    expect(circles({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] })).toEqual([])
  })
})
