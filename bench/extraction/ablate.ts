/**
 * Switches each rule of the tables in `packages/reader/facts/rules` off in turn, and prints by how much the figures of `run.ts` change, and how
 * many texts of the talks and life stories of `bench/graph` and of tests are read otherwise. Then it names the rules that can go all at once
 * without a change of any. Only texts that a rule matches are read again, in this process, and of the held-out parts nobody sees more than the sums.
 *
 *   bun bench/extraction/ablate.ts [--all]        also rules that change something
 */

import { readdir, readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { createEmbedder } from '../../core/models/create-embedder.ts'
import type { Embedder, Embedding } from '../../core/models/embedder.ts'
import { noLanguageModel } from '../../core/models/language/language-model.ts'
import { ruleRegex } from '../../packages/reader/facts/facts.ts'
import { pattern } from '../../packages/reader/facts/frame.ts'
import * as context from '../../packages/reader/facts/rules/context.ts'
import * as family from '../../packages/reader/facts/rules/family.ts'
import { ENDINGS, RULES } from '../../packages/reader/facts/rules/rules.ts'
import type { Extraction } from '../../plugins/graph/contract.ts'
import { openExtractor } from '../../plugins/graph/extraction/open-extractor.ts'
import { makeStories } from '../graph/stories.ts'
import { FIRST_SET } from '../graph/wordings.ts'
import { SECOND_SET } from '../graph/wordings-second.ts'
import { THIRD_DEV_SET, THIRD_HELD_OUT_SET } from '../graph/wordings-third.ts'
import { HALVES, type Labelled, readHalf } from './labelled.ts'
import { compare } from './score.ts'

/** These are parts of patterns, and no rules. */
const PARTS: ReadonlySet<string> = new Set(['CALLING', 'KIN', 'TELLS'])
/** As in `bench/graph/contradictions.ts`. */
const STORIES = { users: 60, steps: 8 }
const FIGURES = [
  'entities right',
  'entities wrong',
  'relations right',
  'relations wrong',
  'junk',
  'dates',
  'kept',
  'filed',
] as const
type Figures = Readonly<Record<(typeof FIGURES)[number], number>>

interface Read {
  readonly text: string
  /** A careful reader draws this from it; undefined of talks and stories. */
  readonly label: Labelled | undefined
  /** All that is compared of it, when every rule is on. */
  before: Outcome
}

interface Outcome {
  readonly figures: Figures | undefined
  /** All that is drawn from a text of a talk, where edges and entities come from several. */
  readonly drawn: string | undefined
}

interface Switch {
  readonly names: string[]
  readonly regex: RegExp
  /** The texts that it matches somewhere. */
  readonly matched: Set<Read>
}

const { values: options } = parseArgs({ options: { all: { type: 'boolean', default: false } } })
const createdAt = new Date('2026-06-15T12:00:00Z')
const embedder = await createEmbedder({ kind: 'local' })
const extractor = openExtractor({ language: noLanguageModel, embedder: remembering(embedder), log: console })
const texts = await textsOf()
const switches = switchesOf()
await readAll()

const idle: Switch[] = []
for (const one of switches) {
  const change = await changeWithout(one)
  if (change === '') idle.push(one)
  if (change !== '' && options.all) console.log(`${one.names.join(', ')}: ${change}`)
}
console.log(`${idle.length} of ${switches.length} rules change nothing alone; all at once can go:`)
for (const one of idle) {
  turnOff(one)
  if ((await changeIn(one.matched)) === '') console.log(`${one.names.join(', ')}: ${one.matched.size} texts matched`)
  else turnOn(one)
}
await embedder.close()

async function textsOf(): Promise<Read[]> {
  const none: Outcome = { figures: undefined, drawn: undefined }
  const labelled = (await Promise.all(HALVES.map(readHalf))).flat()
  const talks = await Promise.all(
    ['dev', 'held-out'].map(half => readFile(new URL(`../graph/talks/${half}.jsonl`, import.meta.url), 'utf8')),
  )
  const told = talks.flatMap(talk =>
    talk
      .trim()
      .split('\n')
      .flatMap((line): string[] => JSON.parse(line).told),
  )
  const stories = [FIRST_SET, SECOND_SET, THIRD_DEV_SET, THIRD_HELD_OUT_SET].flatMap(set =>
    makeStories(STORIES.users, STORIES.steps, set).flatMap(story => story.told.map(({ text }) => text)),
  )
  return [
    ...labelled.map(label => ({ text: label.text, label, before: none })),
    ...[...new Set([...told, ...stories, ...(await testedTexts())])].map(text => ({
      text,
      label: undefined,
      before: none,
    })),
  ]
}

/** The sentences of the tests of facts: behaviour that somebody was promised, and no figure shows. */
async function testedTexts(): Promise<string[]> {
  const folders = ['packages/reader/facts', 'plugins/graph', 'test/contract'].map(
    folder => new URL(`../../${folder}/`, import.meta.url),
  )
  const names = await Promise.all(
    folders.map(async folder => (await readdir(folder, { recursive: true })).map(name => new URL(name, folder))),
  )
  const tests = names.flat().filter(({ pathname }) => /\.(test|test-support|conformance)\.ts$/.test(pathname))
  const sources = await Promise.all(tests.map(test => readFile(test, 'utf8')))
  return sources.flatMap(source =>
    [...source.matchAll(/'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)"/g)]
      .map(([, single, double]) => (single ?? double ?? '').replaceAll('\\n', '\n').replaceAll("\\'", "'"))
      .filter(text => / /.test(text) && text.length < 600),
  )
}

/** Rules with the same pattern are switched together. */
function switchesOf(): Switch[] {
  const byRegex = new Map<RegExp, Switch>()
  const add = (name: string, regex: RegExp) => {
    const known = byRegex.get(regex)
    if (known) known.names.push(name)
    else byRegex.set(regex, { names: [name], regex, matched: new Set() })
  }
  for (const [language, rules] of Object.entries(RULES))
    for (const rule of rules) add(`${language} ${rule.type} ${rule.says}`, ruleRegex(rule))
  for (const [language, endings] of Object.entries(ENDINGS))
    for (const { type, says } of endings) add(`${language} ending ${type} ${says}`, pattern(says))
  for (const [name, table] of Object.entries({ ...family, ...context })) {
    if (PARTS.has(name) || !/^[A-Z_]+$/.test(name)) continue
    const rows: readonly unknown[] = Array.isArray(table) ? table : typeof table === 'string' ? [table] : []
    for (const row of rows) {
      const source: unknown = Array.isArray(row) ? row[0] : row
      if (typeof source === 'string') add(`${name} ${source}`, pattern(source))
    }
  }
  return [...byRegex.values()]
}

/** Reads all texts with every rule on, and notes which rule matches which. */
async function readAll(): Promise<void> {
  let current: Read | undefined
  for (const { regex, matched } of switches) {
    override(regex, function* (text) {
      for (const match of RegExp.prototype[Symbol.matchAll].call(regex, text)) {
        if (current) matched.add(current)
        yield match
      }
    })
  }
  for (const one of texts) {
    current = one
    one.before = outcomeOf(one, await extract([one]))
  }
  switches.forEach(turnOn)
}

async function changeWithout(one: Switch): Promise<string> {
  turnOff(one)
  const change = await changeIn(one.matched)
  turnOn(one)
  return change
}

/** Tells how the figures of some texts differ from those with every rule on. */
async function changeIn(some: ReadonlySet<Read>): Promise<string> {
  const sums = new Map<string, number>()
  const add = (name: string, by: number) => sums.set(name, (sums.get(name) ?? 0) + by)
  for (const one of some) {
    const after = outcomeOf(one, await extract([one]))
    if (after.drawn !== one.before.drawn) add('other texts read otherwise', 1)
    for (const name of FIGURES) add(name, (after.figures?.[name] ?? 0) - (one.before.figures?.[name] ?? 0))
  }
  return [...sums].flatMap(([name, by]) => (by === 0 ? [] : `${name} ${by > 0 ? '+' : ''}${by}`)).join(', ')
}

async function extract(some: readonly Read[]): Promise<Extraction> {
  const memories = some.map(({ text }) => ({ id: 'm', text, userId: 'user-1', createdAt }))
  const [extraction] = await extractor.extract('bench', memories, AbortSignal.timeout(60_000))
  if (!extraction) throw new Error('a text was not read')
  return extraction
}

function outcomeOf({ label }: Read, extraction: Extraction): Outcome {
  if (!label)
    return {
      figures: undefined,
      drawn: JSON.stringify([extraction.entities, extraction.relations, extraction.endings]),
    }
  const { entities, relations, junk, dates } = compare(label, extraction)
  const isKept = extraction.statements.length > 0
  const isFiled = extraction.statements.some(({ category }) => category === label.category)
  return {
    drawn: undefined,
    figures: {
      'entities right': entities.right.length,
      'entities wrong': entities.wrong.length,
      'relations right': relations.right.length,
      'relations wrong': relations.wrong.length,
      junk: junk.length,
      dates: dates.right,
      kept: Number((label.category !== null) === isKept),
      filed: Number(isFiled),
    },
  }
}

function turnOff({ regex }: Switch): void {
  override(regex, function* () {})
}

function turnOn({ regex }: Switch): void {
  Reflect.deleteProperty(regex, Symbol.matchAll)
}

/** All patterns of the tables are applied with `matchAll`, which asks the pattern itself. */
function override(regex: RegExp, matchAll: (text: string) => Iterable<RegExpExecArray>): void {
  Object.defineProperty(regex, Symbol.matchAll, { value: matchAll, configurable: true })
}

/** Embeds each text once, since the same texts are read for each rule. */
function remembering(embedder: Embedder): Embedder {
  const known = new Map<string, Embedding>()
  return {
    ...embedder,
    async embed(texts, embedOptions) {
      const open = [...new Set(texts)].filter(text => !known.has(text))
      const made = open.length > 0 ? await embedder.embed(open, embedOptions) : []
      for (const [i, embedding] of made.entries()) known.set(open[i] ?? '', embedding)
      return texts.flatMap(text => known.get(text) ?? [])
    },
  }
}
