import { denies, finish, lexicons, type Steps, toldOfUser, wordSet } from 'mneme/plugin'
import type { KnownStatement } from '../../graph/contract.ts'
import type { Line, Source } from './document.ts'
import { hashOf, normalForm, onOneLine, spacedWords, wordsOf } from './wording.ts'

/** A line with what it is chosen and ordered by. */
export interface WeighedLine extends Line {
  /** The words of its normal form, with a space before and after each. */
  readonly words: string
  /** When it was last stated. */
  readonly statedAt: number
  /** Grows with how sure it is and how many memories say it. */
  readonly strength: number
}

/** Memories that are named for one line. More say nothing more, and only make the document long. */
const SOURCES_MAX = 20
/** A statement whose rarest word is in more of them is compared with none, so that the time stays linear. */
const CANDIDATES_MAX = 200
/** A statement of fewer words is contained in too many others. */
const CONTAINED_WORDS_MIN = 3

const TURNING = wordSet(lexicons.TURNING_WORDS)

/** One line for what several statements say: in the same words, or one inside of another. Newest first. */
export function* mergeSteps(statements: readonly KnownStatement[]): Steps<WeighedLine[]> {
  const grouped = new Map<string, KnownStatement[]>()
  for (const statement of statements) {
    yield
    const normal = normalForm(onOneLine(statement.text))
    const alike = grouped.get(normal)
    if (alike) alike.push(statement)
    else grouped.set(normal, [statement])
  }
  grouped.delete('')
  const wordings = new Map<string, Wording>()
  for (const [normal, own] of grouped) {
    yield
    wordings.set(normal, readWording(normal, own))
  }
  const containers = yield* containersOf([...wordings.values()])
  const lines: WeighedLine[] = []
  for (const [normal, own] of Map.groupBy(wordings.values(), ({ normal }) => containers.get(normal) ?? normal)) {
    yield
    const line = toLine(wordings.get(normal), own)
    if (line) lines.push(line)
  }
  return lines.toSorted((a, b) => b.statedAt - a.statedAt || (a.hash < b.hash ? -1 : 1))
}

/** The same at one go, for a few statements. */
export function mergeStatements(statements: readonly KnownStatement[]): WeighedLine[] {
  return finish(mergeSteps(statements))
}

/** Statements with the same wording. */
interface Wording {
  readonly normal: string
  readonly hash: string
  readonly words: readonly string[]
  readonly spaced: string
  readonly statements: readonly KnownStatement[]
}

function readWording(normal: string, statements: readonly KnownStatement[]): Wording {
  const words = wordsOf(normal)
  return { normal, hash: hashOf(normal), words, spaced: spacedWords(normal), statements }
}

/** @param own the line's own words, one of `wordings` */
function toLine(own: Wording | undefined, wordings: readonly Wording[]): WeighedLine | undefined {
  const all = wordings
    .flatMap(wording => wording.statements.map(statement => ({ wording, statement })))
    .toSorted((a, b) => b.statement.statedAt.getTime() - a.statement.statedAt.getTime())
  // A memory may say the same twice.
  const once = [...new Map(all.toReversed().map(item => [item.statement.memoryId, item])).values()].toReversed()
  const first = once.find(({ wording }) => wording === own) ?? all.find(({ wording }) => wording === own)
  if (!own || !first) return undefined
  const doubt = once.reduce((product, { statement }) => product * (1 - statement.confidence), 1)
  const text = toldOfUser(onOneLine(first.statement.text))
  return {
    text,
    words: own.spaced,
    hash: own.hash,
    sources: named(once, first).map(({ wording, statement }) => toSource(wording, statement, text)),
    statedAt: all[0]?.statement.statedAt.getTime() ?? 0,
    strength: 1 - doubt + Math.log2(once.length) / 8,
  }
}

/** The newest ones, and always one that says the line's own words. */
function named<T>(items: readonly T[], own: T): T[] {
  const newest = items.slice(0, SOURCES_MAX)
  return newest.includes(own) ? newest : [...newest.slice(0, SOURCES_MAX - 1), own]
}

function toSource({ normal, hash }: Wording, { memoryId, text }: KnownStatement, shown: string): Source {
  const source = { memory: memoryId, hash }
  return normal === normalForm(shown) ? source : { ...source, said: onOneLine(text) }
}

/** For each normal form that another one contains: the longest of these. */
function* containersOf(wordings: readonly Wording[]): Steps<Map<string, string>> {
  const byWord = new Map<string, Wording[]>()
  for (const wording of wordings) {
    yield
    for (const word of new Set(wording.words)) {
      const holders = byWord.get(word)
      if (holders) holders.push(wording)
      else byWord.set(word, [wording])
    }
  }
  const containers = new Map<string, string>()
  for (const { normal, words, spaced } of wordings) {
    yield
    if (words.length < CONTAINED_WORDS_MIN) continue
    // Whoever contains it has its rarest word.
    const rarest = words.map(word => byWord.get(word) ?? []).reduce((a, b) => (b.length < a.length ? b : a))
    if (rarest.length > CANDIDATES_MAX) continue
    const longest = rarest
      .filter(other => other.spaced.length > spaced.length && other.spaced.includes(spaced))
      .filter(other => !turns(other.spaced.replace(spaced, ' ')))
      .reduce<Wording | undefined>((a, b) => (a && a.normal.length >= b.normal.length ? a : b), undefined)
    if (longest) containers.set(normal, longest.normal)
  }
  // A containing statement may be contained itself: only the outermost become lines.
  for (const [normal] of containers) containers.set(normal, outermost(normal, containers))
  return containers
}

function outermost(normal: string, containers: ReadonlyMap<string, string>): string {
  let current = normal
  // Each container is longer than what it contains, so this ends.
  for (let next = containers.get(current); next !== undefined; next = containers.get(current)) current = next
  return current
}

/** Tells whether what stands beside a statement denies it, doubts it or tells that it is over, so that it is not said there. */
function turns(rest: string): boolean {
  return rest.split(' ').some(word => TURNING.has(word)) || denies(rest)
}
