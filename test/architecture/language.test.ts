import { describe, expect, test } from 'bun:test'
import { functionWords, STEMMED_LANGUAGES } from '../../core/public.ts'
import * as lexicons from '../../packages/reader/lexicons/index.ts'
import { filesWith, isTest, type Node, parseSource, type Source } from './source.ts'

/** A list of fewer words is no lexicon. */
const WORDS_MIN = 4

/**
 * Files and folders with words of their own: rules that give wordings a meaning which no other part shares (decision 0036), and lists of names
 * that are no text.
 */
const OWN_WORDS: Readonly<Record<string, string>> = {
  'packages/reader/sentences.ts': 'Divides texts into sentences.',
  'packages/reader/words.ts': 'Divides texts into words.',
  'core/log.ts': 'Names of fields.',
  'packages/reader/messages/sentences.ts': 'Words of programming languages.',
  'packages/reader/facts/rules/':
    'Grammar of relationships: patterns in which names have been replaced, each with the relation that it states.',
  'plugins/ingest/document/opening.ts': 'Names of fields.',
  'plugins/search/indexing/write-hook.ts': 'Names of metadata.',
  'plugins/search/analysis/traits.ts': 'Units of time.',
  'plugins/webhooks/delivering/dispatcher.ts': 'Outcomes of attempts.',
}

/** Lexicons of nouns, names and verbs that code uses for other things: "page", "server", "connect". */
const WORDS_OF_CODE: ReadonlySet<string> = new Set([
  'APPOSED_NOUNS',
  'CHRISTENED_NOUNS',
  'COMMON_WORDS',
  'KIN_NOUNS',
  'MAKING_VERBS',
  'NAMES_WITH_CAPITALS',
  'NEVER_NAMES',
  'NOUNS_OF_NAMES',
  'PLACE_HEADS',
  'PLURAL_NOUNS',
  'QUESTION_FILLERS',
  'USER_COMPOUNDS',
] satisfies (keyof typeof lexicons)[])

/** Words of natural language as the library's own lexicons have them; a list that holds some of them belongs there. */
const KNOWN: ReadonlySet<string> = new Set(
  [
    ...STEMMED_LANGUAGES.flatMap(functionWords),
    ...Object.entries(lexicons).flatMap(([name, lexicon]) => (WORDS_OF_CODE.has(name) ? [] : wordsInLexicon(lexicon))),
  ].flatMap(wordsIn),
)

function wordsInLexicon(lexicon: unknown): string[] {
  // Patterns are more than their words.
  if (typeof lexicon === 'string') return /[\\^$|?*+()[\]]/.test(lexicon) ? [] : [lexicon]
  if (typeof lexicon !== 'object' || lexicon === null || lexicon instanceof RegExp) return []
  return Object.values(lexicon).flatMap(wordsInLexicon)
}

/** Shorter words are tags of languages as well. */
function wordsIn(text: string): string[] {
  return text.match(/(?<!\\)\p{Ll}[\p{Ll}\p{M}]{2,}/gu) ?? []
}

/** Matches the alternatives of a pattern in a string, which is made into one elsewhere. */
const ALTERNATIVES = /(?:\p{Ll}[\p{Ll}' ]*\|){3}/u
/** Longer elements of a list are prose. */
const ELEMENT_WORDS_MAX = 3

/** Returns the texts of a file that are lists of words or alternatives of a pattern: prose such as a message is none. */
function* listsIn({ nodes }: Source): Generator<{ line: number; text: string }> {
  const splits = nodes.filter(({ node }) => propertyOf(node) === 'split').map(({ node }) => node.line)
  const splitting = new Set(nodes.flatMap(({ node }) => splitterOf(node, splits) ?? []))
  for (const { node, parent } of nodes) {
    if (node.type === 'RegExpLiteral') yield { line: node.line, text: String(node.get('pattern')) }
    if (node.type === 'ArrayExpression') yield { line: node.line, text: elementsOf(node).join(' ') }
    const text = textOf(node)
    if (text === undefined) continue
    const isSplit = parent?.type === 'MemberExpression' || splitting.has(String(parent?.child('callee')?.get('name')))
    if (isSplit || ALTERNATIVES.test(text)) yield { line: node.line, text }
  }
}

/**
 * Returns the name of a function that divides its argument, `const words = (list: string) => list.split(' ')`.
 * @param splits lines with a call of `split`
 */
function splitterOf(node: Node, splits: readonly number[]): string | undefined {
  const isFunction = node.type === 'VariableDeclarator' && node.child('init')?.type === 'ArrowFunctionExpression'
  if (!isFunction && node.type !== 'FunctionDeclaration') return undefined
  const divides = splits.some(line => line >= node.line && line < node.line + node.lines)
  return divides ? String(node.child('id')?.get('name')) : undefined
}

function propertyOf(node: Node): unknown {
  return node.type === 'MemberExpression' ? node.child('property')?.get('name') : undefined
}

function elementsOf(node: Node): string[] {
  const elements = node.get('elements')
  if (!Array.isArray(elements)) return []
  const texts = elements.flatMap(element => (element?.type === 'StringLiteral' ? [String(element.value)] : []))
  return texts.every(text => text.split(' ').length <= ELEMENT_WORDS_MAX) ? texts : []
}

function textOf(node: Node): string | undefined {
  if (node.type === 'StringLiteral') return String(node.get('value'))
  if (node.type !== 'TemplateLiteral') return undefined
  const quasis = node.get('quasis')
  return Array.isArray(quasis) ? quasis.map(quasi => String(quasi?.value?.cooked)).join(' ') : undefined
}

function faultsIn(source: Source): string[] {
  const lists = [...listsIn(source)].flatMap(({ line, text }) => {
    const known = new Set(wordsIn(text).filter(word => KNOWN.has(word)))
    return known.size >= WORDS_MIN ? [`${source.path}:${line} ${[...known].slice(0, 8).join(' ')}`] : []
  })
  const segmenters = source.nodes
    .filter(({ node }) => propertyOf(node) === 'Segmenter')
    .map(({ node }) => `${source.path}:${node.line} Intl.Segmenter`)
  return [...segmenters, ...lists]
}

const sources = filesWith('.ts')
  .filter(
    path =>
      /^(core|packages|plugins|server|workers)\//.test(path) &&
      !isTest(path) &&
      !path.startsWith('packages/reader/lexicons/'),
  )
  .map(path => parseSource(path))

describe('natural language', () => {
  test('is read by packages/reader alone, with its words as data: no segmenters, lists of words or patterns of words elsewhere', () => {
    const isOwn = (path: string) => Object.keys(OWN_WORDS).some(own => path.startsWith(own))
    expect(sources.filter(({ path }) => !isOwn(path)).flatMap(faultsIn)).toEqual([])
  })

  test('every exception is still needed', () => {
    const unneeded = Object.keys(OWN_WORDS).filter(
      own => !sources.some(source => source.path.startsWith(own) && faultsIn(source).length > 0),
    )
    expect(unneeded).toEqual([])
  })

  test('a list or pattern of words is found in any of its forms, and prose, code and SQL are not', () => {
    const found = (text: string) => faultsIn(parseSource('example.ts', text)).length
    for (const text of [
      "const A = 'not never without nobody'.split(' ')",
      'const A = new Set(`not never without nobody`.trim().split(/\\s+/))',
      "const words = (list: string) => list.split(' ')\nconst A = words('der die das und')",
      "const A = ['not', 'never', 'without', 'nobody']",
      'const A = /(?:not|never|without|nobody)/',
      "const A = word('not|never|without|nobody')",
      "const A = new Intl.Segmenter('en')",
    ])
      expect(found(text), text).toBe(1)
    for (const text of [
      "throw new Error('it is not there, and nobody has it')",
      'const A = sql`select a || b || c from t where not a is null and b in (c)`',
      "const A = ['pending', 'running', 'failed', 'succeeded']",
      'const A = /(?:png|jpe?g|webp|gif)/',
      "const A = ['Anna is not here.', 'Nobody was there, so they left.']",
    ])
      expect(found(text), text).toBe(0)
  })
})
