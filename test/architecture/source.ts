import { readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from '@babel/parser'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Folders with code of ours. */
const FOLDERS = [
  'core',
  'packages',
  'plugins',
  'server',
  'workers',
  'test',
  'bench',
  'client',
  'clients',
  'integrations',
  'examples',
  'sql',
]

/** Code that a program writes is read by nobody. */
const WRITTEN_BY_PROGRAMS = new Set(['node_modules', 'dist', 'generated'])

/** Paths from the root of all files of ours whose names end with one of `extensions`. */
export function filesWith(...extensions: string[]): string[] {
  return FOLDERS.flatMap(folder => filesUnder(join(ROOT, folder)))
    .filter(path => extensions.includes(extname(path)))
    .map(path => relative(ROOT, path))
}

export function foldersOfOurs(): string[] {
  const folders = new Set(FOLDERS.flatMap(folder => filesUnder(join(ROOT, folder))).map(path => dirname(path)))
  return [...folders].map(path => relative(ROOT, path))
}

function filesUnder(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
      if (WRITTEN_BY_PROGRAMS.has(entry.name)) return []
      const path = join(folder, entry.name)
      return entry.isDirectory() ? filesUnder(path) : [path]
    })
  } catch (error) {
    // Not every folder of the list has to exist.
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return []
    throw error
  }
}

export function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

export function isTest(path: string): boolean {
  return /\.(test|conformance|test-support)\.ts$/.test(path) || path.startsWith('test/') || path.startsWith('bench/')
}

/** A node of the syntax tree, of which only what the rules need is known. */
export interface Node {
  readonly type: string
  readonly line: number
  readonly lines: number
  get(name: string): unknown
  child(name: string): Node | undefined
}

export interface Source {
  readonly path: string
  /** Every node, parents before children. */
  readonly nodes: readonly { readonly node: Node; readonly parent: Node | undefined; readonly key: string }[]
}

/** Parses a file and lists the nodes of its syntax tree. */
export function parseSource(path: string, text = read(path)): Source {
  const ast = parse(text, { sourceType: 'module', plugins: ['typescript', 'importAttributes'], errorRecovery: false })
  const nodes: { node: Node; parent: Node | undefined; key: string }[] = []
  const visit = (value: unknown, parent: Node | undefined, key: string): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, parent, key)
    else if (isAstNode(value)) {
      const node = wrap(value)
      nodes.push({ node, parent, key })
      for (const [name, child] of Object.entries(value)) if (!SKIPPED.has(name)) visit(child, node, name)
    }
  }
  visit(ast.program, undefined, 'program')
  return { path, nodes }
}

const SKIPPED = new Set(['loc', 'leadingComments', 'trailingComments', 'innerComments', 'extra', 'errors', 'tokens'])

interface AstNode {
  type: string
  loc: { start: { line: number }; end: { line: number } }
}

function isAstNode(value: unknown): value is AstNode {
  return (
    typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'loc' in value
  )
}

function wrap(ast: AstNode): Node {
  const { start, end } = ast.loc
  const get = (name: string): unknown => Reflect.get(ast, name)
  return {
    type: ast.type,
    line: start.line,
    lines: end.line - start.line + 1,
    get,
    child(name) {
      const value = get(name)
      return isAstNode(value) ? wrap(value) : undefined
    },
  }
}

export interface Import {
  readonly specifier: string
  readonly line: number
}

const importsByPath = new Map<string, readonly Import[]>()

/** The imports of a file, which is parsed once for all rules. */
export function importsAt(path: string): readonly Import[] {
  const known = importsByPath.get(path) ?? importsOf(parseSource(path))
  importsByPath.set(path, known)
  return known
}

/** Everything a file refers to by a specifier: imports of values and of types, exports from, `import()`, `require` and `new URL(…, import.meta.url)`. */
export function importsOf({ nodes }: Source): Import[] {
  return nodes.flatMap(({ node }) => {
    const specifier = specifierOf(node)
    return specifier === undefined ? [] : [{ specifier, line: node.line }]
  })
}

function specifierOf(node: Node): string | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
      return textOf(node.child('source'))
    case 'TSImportType':
      return textOf(node.child('argument'))
    case 'TSExternalModuleReference':
      return textOf(node.child('expression'))
    case 'CallExpression': {
      const callee = node.child('callee')
      const loads = callee?.type === 'Import' || callee?.get('name') === 'require' || isResolve(callee)
      return loads ? textOf(argument(node, 0)) : undefined
    }
    case 'NewExpression': {
      const isUrl = node.child('callee')?.get('name') === 'URL'
      return isUrl && argument(node, 1)?.child('object')?.type === 'MetaProperty'
        ? textOf(argument(node, 0))
        : undefined
    }
    default:
      return undefined
  }
}

function isResolve(callee: Node | undefined): boolean {
  return callee?.type === 'MemberExpression' && callee.child('property')?.get('name') === 'resolve'
}

function argument(node: Node, index: number): Node | undefined {
  const list = node.get('arguments')
  const value: unknown = Array.isArray(list) ? list[index] : undefined
  return isAstNode(value) ? wrap(value) : undefined
}

/** The text of a string literal or of a template without holes; a computed specifier is `<computed>`. */
function textOf(node: Node | undefined): string | undefined {
  if (!node) return undefined
  if (node.type === 'StringLiteral') return String(node.get('value'))
  if (node.type === 'TSLiteralType') return textOf(node.child('literal'))
  return '<computed>'
}

/** Resolves a relative specifier or one of this package, from the root; undefined for other packages. */
export function targetOf(path: string, specifier: string): string | undefined {
  if (specifier.startsWith('/')) return specifier
  if (specifier === 'mneme' || specifier.startsWith('mneme/')) return targetOfEntry(specifier.slice('mneme'.length))
  return specifier.startsWith('.') ? relative(ROOT, resolve(ROOT, dirname(path), specifier)) : undefined
}

/** Resolves by the `exports` of package.json, whose patterns have one star. */
function targetOfEntry(entry: string): string {
  for (const [name, target] of Object.entries(ENTRIES)) {
    const [before = '', after] = `.${entry}` === name ? [name] : name.split('*')
    if (`.${entry}` === name) return target.slice('./'.length)
    if (after !== undefined && `.${entry}`.startsWith(before) && `.${entry}`.endsWith(after)) {
      const star = `.${entry}`.slice(before.length, after === '' ? undefined : -after.length)
      return target.slice('./'.length).replace('*', star)
    }
  }
  return `no entry of package.json: mneme${entry}`
}

const ENTRIES: Readonly<Record<string, string>> = JSON.parse(read('package.json')).exports
