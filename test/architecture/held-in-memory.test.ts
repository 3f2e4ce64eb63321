import { expect, test } from 'bun:test'
import { BOUNDS } from './held-in-memory.ts'
import { filesWith, isTest, type Node, parseSource, read, type Source } from './source.ts'

/** Collections that live longer than a call: fields of classes, what a module keeps, and what a factory closes over. */
function collectionsOf({ nodes }: Source): number[] {
  const parents = new Map(nodes.map(({ node, parent }) => [node, parent]))
  return nodes
    .filter(({ node }) => node.type === 'NewExpression' && COLLECTIONS.has(nameOf(node.child('callee'))))
    .filter(({ node, parent }) => parent && isKept(node, parent, parents))
    .map(({ node }) => node.line)
}

const COLLECTIONS = new Set(['Map', 'Set', 'LRUCache'])
const FIELDS = new Set(['ClassProperty', 'ClassPrivateProperty'])

function isKept(node: Node, parent: Node, parents: ReadonlyMap<Node, Node | undefined>): boolean {
  if (FIELDS.has(parent.type)) return true
  // A table that is written out does not grow.
  if (parent.type !== 'VariableDeclarator' || isFilled(node)) return false
  let scope = parents.get(parent)
  while (scope && !SCOPES.has(scope.type)) scope = parents.get(scope)
  const isFactory = scope?.get('async') !== true && /^create[A-Z]/.test(nameOf(scope?.child('id')))
  return scope?.type === 'Program' || isFactory
}

const SCOPES = new Set([
  'Program',
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ClassMethod',
  'ObjectMethod',
])

function isFilled(node: Node): boolean {
  const given = node.get('arguments')
  return nameOf(node.child('callee')) !== 'LRUCache' && Array.isArray(given) && given.length > 0
}

function nameOf(node: Node | undefined): string {
  return String(node?.get('name') ?? '')
}

test('what keeps a collection counts its bytes, or says why it stays small', () => {
  const keepers = filesWith('.ts')
    .filter(path => /^(core|packages|plugins)\//.test(path) && !isTest(path) && !path.includes('/fake/'))
    .filter(path => /new (Map|Set|LRUCache)\b/.test(read(path)) && !/\bheld\(|BoundedCache/.test(read(path)))
    .filter(path => collectionsOf(parseSource(path)).length > 0)
  expect(keepers.toSorted()).toEqual(Object.keys(BOUNDS).toSorted())
})

test('a collection of a call is none that is kept, and one of a class, a module or a factory is', () => {
  const linesOf = (text: string) => collectionsOf(parseSource('example.ts', text))
  const kept = [
    'class A { #b = new Map<string, string>() }',
    'const b = new Set<string>()',
    'export function createA() { const b = new Map(); return b }',
    'const b = new LRUCache({ max: 1 })',
  ]
  const passing = ['function a() { const b = new Map(); return b }', "const b = new Set(['a'])", 'new Map()']
  expect([...kept, ...passing].map(text => linesOf(text).length)).toEqual([1, 1, 1, 1, 0, 0, 0])
})
