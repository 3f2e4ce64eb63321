import { describe, expect, test } from 'bun:test'
import { coreSettings } from '../../core/boot/entitlements.ts'
import { coreQuotas } from '../../core/usage/quotas.ts'
import { builtInPlugins } from '../../server/plugins.ts'
import { filesWith, isTest, read } from './source.ts'

/** Words of the product that mean something else in the kernel, with the places where they may stand. */
const OTHER_MEANINGS: readonly { readonly word: string; readonly means: string; readonly where: RegExp }[] = [
  { word: 'memory', means: 'what a process takes of the machine', where: /./ },
  { word: 'language', means: 'language models, a service of the kernel', where: /./ },
  { word: 'target', means: 'what something is aimed at or copied to', where: /./ },
  { word: 'graph', means: "a model's graph of operations", where: /^core\/models\/local\// },
  { word: 'context', means: 'what a plugin, a span or an error is given of its surroundings', where: /./ },
  { word: 'workspace', means: 'a tenant', where: /./ },
  { word: 'template', means: 'a template literal, or a database that others are copies of', where: /^core\/db\// },
  { word: 'export', means: 'a name that a module gives away', where: /./ },
  { word: 'console', means: 'where accounts sign in and plugins add pages, whichever plugin shows it', where: /./ },
  { word: 'secret', means: 'a key that is sealed or compared', where: /./ },
  { word: 'secrets', means: 'keys that are sealed', where: /./ },
  { word: 'uniqueness', means: 'that a name stands once in the manifests', where: /^core\/boot\/check\.ts/ },
  {
    word: 'oauth',
    means: 'sign-in by a provider, as the session library calls it',
    where: /^core\/auth\/better-auth\.ts/,
  },
  { word: 'exports', means: 'the names that a module gives away', where: /^core\/boot\/plan\.ts/ },
]

/** Names of others' making that hold a word of the product. */
const FOREIGN = /URLSearchParams|search_path|search path|webhookKey/g

/** Splits a name into words: `hasKnowledgeGraph` and `has knowledge graph` alike. */
function partsOf(text: string): string[] {
  return (text.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map(part => part.toLowerCase())
}

function singular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/([^s])s$/, '$1')
}

/**
 * Collects the product's names for its parts from the manifests: a new plugin's words are among them without being
 * added here.
 */
function productWords(): Map<string, string[]> {
  const names = builtInPlugins.flatMap(plugin => [
    plugin.id,
    ...(plugin.features ?? []).map(({ name }) => name),
    ...(plugin.quotas ?? []).map(({ name }) => name),
    ...(plugin.workspaceSettings ?? []).flatMap(({ key }) => key.split('.')),
  ])
  const own = new Set([...coreQuotas.map(({ name }) => name), ...coreSettings.flatMap(({ key }) => key.split('.'))])
  const strange = names.filter(name => !own.has(name))
  return new Map([...strange, ...strange.map(singular)].map(name => [name, partsOf(name)]))
}

/** Every place in a text where one of the words stands, as `line word`. */
function wordsIn(text: string, words: ReadonlyMap<string, readonly string[]>): { line: number; word: string }[] {
  return text.split('\n').flatMap((line, index) => {
    const parts = partsOf(line.replaceAll(FOREIGN, ''))
    return [...words]
      .filter(([, wanted]) => parts.some((_, at) => wanted.every((part, offset) => parts[at + offset] === part)))
      .map(([word]) => ({ line: index + 1, word }))
  })
}

/** Lists words of texts, which name nothing of the product. */
const isLexicon = (path: string) => path.startsWith('packages/reader/lexicons/')

function isOtherMeaning(path: string, word: string): boolean {
  return OTHER_MEANINGS.some(other => other.word === word && other.where.test(path))
}

describe('the kernel', () => {
  test('names nothing of the product in code or comments: features, quotas and settings come from manifests', () => {
    const words = productWords()
    const named = filesWith('.ts', '.mjs', '.sql')
      .filter(path => /^(core|sql)\//.test(path) && !isTest(path) && !path.includes('/fixtures/') && !isLexicon(path))
      .flatMap(path =>
        wordsIn(read(path), words)
          .filter(({ word }) => !isOtherMeaning(path, word))
          .map(({ line, word }) => `${path}:${line} ${word}`),
      )
    expect(named).toEqual([])
  })

  test('is searched for every plugin, feature, quota and setting there is', () => {
    const words = [...productWords().keys()]
    for (const word of ['memories', 'search', 'hasKnowledgeGraph', 'consolidation', 'search_quality', 'task_ttl_days'])
      expect(words).toContain(word)
    expect(words).toContain('conversation')
  })
})

describe('the search for words', () => {
  const words = new Map([
    ['hasKnowledgeGraph', partsOf('hasKnowledgeGraph')],
    ['memories', ['memories']],
  ])
  const found = (text: string) => wordsIn(text, words).map(({ line, word }) => `${line} ${word}`)

  test('finds them in any spelling, in code and in comments', () => {
    expect(found("const x = 'memories'\n// Plans with has_knowledge_graph.")).toEqual([
      '1 memories',
      '2 hasKnowledgeGraph',
    ])
    expect(found('listMemories(memoriesMax, MEMORIES_MAX)')).toEqual(['1 memories'])
    expect(found('if (plan.HasKnowledgeGraph)')).toEqual(['1 hasKnowledgeGraph'])
  })

  test('finds no part of another word', () => {
    expect(found('immemories; hasKnowledge(someGraph)')).toEqual([])
  })
})

/** A comment that begins so leaves its subject or its verb to the reader. */
const FRAGMENT = /^(What|Of|Whose|Whom|Who|How|Whether|Why)\b/

/** Returns the first line of each comment: of a block, or of lines that follow one another. */
function comments(text: string): { line: number; text: string }[] {
  const lines = text.split('\n').map(line => line.trim())
  return lines.flatMap((line, index) => {
    const opens = /^\/\*\*?\s*(.*)$/.exec(line)
    if (opens) return [{ line: index + 1, text: opens[1] || (lines[index + 1] ?? '').replace(/^\*\s*/, '') }]
    const single = /^(?:\/\/|--)\s(.*)$/.exec(line)
    const goesOn = /^(?:\/\/|--)(\s|$)/.test(lines[index - 1] ?? '')
    return single && !goesOn ? [{ line: index + 1, text: single[1] ?? '' }] : []
  })
}

const fragments = (text: string) => comments(text).filter(comment => FRAGMENT.test(comment.text))

test('no comment begins as a fragment: it is a sentence with a subject and a verb', () => {
  const found = filesWith('.ts', '.mjs', '.sql').flatMap(path =>
    fragments(read(path)).map(({ line, text }) => `${path}:${line} ${text}`),
  )
  expect(found).toEqual([])
})

describe('the search for fragments', () => {
  test('finds them in blocks, in lines and in SQL', () => {
    const found = fragments(
      '/** Of each one. */\n/**\n * What is kept.\n */\n  // How long it lasts.\nconst x = 1\n-- Whose it is.',
    )
    expect(found.map(({ line }) => line)).toEqual([1, 2, 5, 7])
  })

  test('leaves alone what continues a comment, and words that only begin so', () => {
    expect(fragments('// It keeps\n// What was sent.\n/** Offers one. */\nconst what = "Of it"')).toEqual([])
  })
})
