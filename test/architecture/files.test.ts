import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  filesWith,
  foldersOfOurs,
  importsAt,
  isTest,
  type Node,
  parseSource,
  ROOT,
  read,
  type Source,
  targetOf,
} from './source.ts'

const LINES_MAX = 400
const FUNCTION_LINES_MAX = 50
const LONELY_LINES_MIN = 60
/** One a file: routes, jobs, and rows of tables (signals, formats, lexicons, rules, writers of exports). Manifests and contracts have their place. */
const STANDS_ALONE =
  /\/(routes|tasks|steps|commands|ranking|writing|lexicons|formats|rules|fixtures)\/|\/(index|contract|schemas|events|public)\.ts$/
/** Lists of what stands elsewhere. */
const GATHERS = /\/(index|contract|public|plugin|kernel)\.ts$/
const roomOf = (path: string) => path.split('/').slice(0, 2).join('/')

describe('code stays small enough to be read', () => {
  test('no file has more than 400 lines', () => {
    const long = filesWith('.ts', '.mjs', '.sql', '.js', '.css', '.sh')
      .map(path => ({ path, lines: read(path).trimEnd().split('\n').length }))
      .filter(({ lines }) => lines > LINES_MAX)
      .map(({ path, lines }) => `${path}: ${lines} lines`)
    expect(long).toEqual([])
  })

  test('no function of the product has more than 50 lines', () => {
    const long = filesWith('.ts')
      .filter(path => !isTest(path))
      .flatMap(path =>
        functionsOf(parseSource(path))
          .filter(({ lines }) => lines > FUNCTION_LINES_MAX)
          .map(({ line, lines }) => `${path}:${line} ${lines} lines`),
      )
    expect(long).toEqual([])
  })

  test('a short file with one importer lives in that importer', () => {
    const importers = new Map<string, Set<string>>()
    for (const path of filesWith('.ts').filter(path => !isTest(path))) {
      for (const { specifier } of importsAt(path)) {
        const target = targetOf(path, specifier)
        if (target) importers.set(target, (importers.get(target) ?? new Set()).add(path))
      }
    }
    const lonely = [...importers]
      .filter(([path, by]) => by.size === 1 && !STANDS_ALONE.test(path) && existsSync(join(ROOT, path)))
      .filter(([path, [by = '']]) => roomOf(path) === roomOf(by) && !GATHERS.test(by))
      .filter(([path]) => path.endsWith('.ts') && read(path).trimEnd().split('\n').length < LONELY_LINES_MIN)
      // A file that a thread or a late import begins with cannot be part of the file that begins it.
      .filter(([path, [by = '']]) => !new RegExp(`(import|URL)\\('[^']*${basename(path)}'`).test(read(by)))
      .map(([path, [by]]) => `${path}: ${by}`)
    expect(lonely).toEqual([])
  })

  test('no folder or file is a drawer for anything', () => {
    const drawers = /^(utils?|common|helpers?|types?|misc|shared|lib)(\.ts)?$/
    expect([...foldersOfOurs(), ...filesWith('.ts')].filter(path => drawers.test(basename(path)))).toEqual([])
  })
})

const FUNCTIONS = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ObjectMethod',
  'ClassMethod',
  'ClassPrivateMethod',
])

/** Functions with their length; one that only holds others, as a factory of an object does, is not charged for them. */
function functionsOf({ nodes }: Source): { line: number; lines: number }[] {
  const functions = nodes.map(({ node }) => node).filter(node => FUNCTIONS.has(node.type))
  const last = (node: Node) => node.line + node.lines - 1
  return functions.map(node => {
    const inner = functions.filter(other => other !== node && other.line > node.line && last(other) <= last(node))
    const covered = new Set(inner.flatMap(other => Array.from({ length: other.lines }, (_, n) => other.line + n)))
    return { line: node.line, lines: node.lines - covered.size }
  })
}

describe('types are not switched off', () => {
  test('no comment silences the compiler', () => {
    const silenced = filesWith('.ts')
      .filter(path => /@ts-(ignore|nocheck|expect-error)/.test(read(path)))
      .filter(path => path !== 'test/architecture/files.test.ts')
    expect(silenced).toEqual([])
  })

  test('no value of the product is asserted to be there', () => {
    const asserted = filesWith('.ts')
      .filter(path => !isTest(path))
      .flatMap(path =>
        parseSource(path)
          .nodes.filter(({ node }) => node.type === 'TSNonNullExpression' || node.type === 'TSAnyKeyword')
          .map(({ node }) => `${path}:${node.line} ${node.type}`),
      )
    expect(asserted).toEqual([])
  })
})

test('no test is skipped, singled out or left to be written', () => {
  const skipped = filesWith('.ts')
    .filter(path => path.endsWith('.test.ts'))
    .flatMap(path =>
      parseSource(path)
        .nodes.filter(({ node }) => {
          const callee = node.type === 'MemberExpression' ? node : undefined
          const owner = callee?.child('object')?.get('name')
          const name = callee?.child('property')?.get('name')
          return (
            (owner === 'test' || owner === 'describe' || owner === 'it') &&
            /^(skip|only|todo|failing)$/.test(String(name))
          )
        })
        .map(({ node }) => `${path}:${node.line}`),
    )
  expect(skipped).toEqual([])
})
