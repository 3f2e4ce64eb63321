import { type LanguageDetector, languageDetector, type Tenant, type Tx } from 'mneme/plugin'
import { memoryReader } from '../../memories/contract.ts'
import type { At } from '../reading/instants.ts'
import { queryVector, type TextVector } from '../reading/query-vector.ts'
import { type FoundEntity, searchEntities } from '../reading/search-entities.ts'
import { longestNames, type PossibleName, possibleNames } from '../reading/spotting.ts'
import type { GraphScope } from '../scope.ts'
import { askedByUser } from './asked-by-user.ts'
import { compose, type GraphAnswer } from './compose.ts'
import { entitiesNamed, type Fact, factsOf, type Place, userEntity } from './facts.ts'
import { find } from './find.ts'
import { type Material, modelAnswer } from './model-answer.ts'
import { type Question, readQuestion } from './question.ts'
import { type MemoryTexts, memoryTexts, type Quote } from './texts.ts'
import { type Finding, isName, type Named } from './verdict.ts'
import { ROLES, VERBS } from './vocabulary.ts'

export interface Asked {
  readonly query: string
  readonly userId: string | undefined
  /** Entities considered. */
  readonly limit: number
  readonly at: At
}

/** The asker by default, the same as for memories without a user. */
const USER_WITHOUT_NAME = 'default'
/** From here on a search for entities means the one it finds. */
const MEANT = 0.55
/** The least score of a part of a name. */
const PARTLY_NAMED = 0.75
/** Facts that a model is shown. */
const SHOWN_MAX = 60

/**
 * Answers a question from the graph: finds what it names, follows what it asks for, and puts it in sentences. With a language
 * model the same material is put into words by it, checked, and left aside if it does not hold.
 */
export async function answerQuestion(scope: GraphScope, tenant: Tenant, given: Asked): Promise<GraphAnswer> {
  const { workspaceId } = tenant
  const asked: Asked = { ...given, query: askedByUser(given.query) }
  const place: Place = { workspaceId, userId: asked.userId, at: asked.at }
  const names = possibleNames(asked.query)
  const detector = await languageDetector()
  const vector = await queryVector(scope, workspaceId, asked.query)
  const { language, finding, quotes, material } = await tenant.transaction(tx =>
    read(tx, scope, place, asked, { names, vector, detector }),
  )
  const local = compose(language, finding, quotes)
  return (await modelAnswer(scope, workspaceId, given.query, material)) ?? local
}

/** The part of a question's work that needs no transaction. */
interface Prepared {
  readonly names: readonly PossibleName[]
  readonly vector: TextVector | undefined
  readonly detector: LanguageDetector
}

interface Read {
  readonly language: Question['language']
  readonly finding: Finding
  readonly quotes: ReadonlyMap<string, Quote>
  readonly material: Material
}

async function read(
  tx: Tx,
  scope: GraphScope,
  place: Place,
  asked: Asked,
  { names, vector, detector }: Prepared,
): Promise<Read> {
  const { query, limit } = asked
  const found = await namedIn(tx, place, names, limit)
  const question = readQuestion(query, wordsOf(found), detector)
  const named = await withOthers(tx, place, asked, question, found, vector)
  const texts = memoryTexts(tx, scope.wiring.use(memoryReader))
  const search = {
    tx,
    place,
    texts,
    text: query,
    question: { ...question, unread: stillUnread(question, named) },
    named,
    limit,
  }
  const finding = await find(search)
  const shown = scope.language.available('interactive') ? await surroundings(tx, place, named, finding) : finding.facts
  const quotes = await quotesOf(tx, place, texts, shown, finding)
  return {
    language: question.language,
    finding,
    quotes,
    material: { facts: shown, quotes },
  }
}

/** Names that the text holds, the longest wins; each with every entity that goes by it. */
export async function namedIn(tx: Tx, place: Place, names: readonly PossibleName[], limit: number): Promise<Named[]> {
  const anchors = await entitiesNamed(
    tx,
    place,
    names.map(name => name.normal),
  )
  const byName = Map.groupBy(anchors, anchor => anchor.normalName)
  const known = names.filter(name => byName.has(name.normal) && !isPlainWord(name.typed))
  return longestNames(known)
    .map(({ first, last, normal }) => ({ first, last, entities: byName.get(normal) ?? [] }))
    .toSorted((a, b) => a.first - b.first)
    .slice(0, limit)
}

/** "university" asks for something, even if a memory speaks of "the university". */
function isPlainWord(typed: string): boolean {
  if (typed !== typed.toLowerCase()) return false
  const whole = (words: RegExp) => new RegExp(`^(?:${words.source})$`, 'iu').test(typed.replace(/[?!.,]+$/u, ''))
  return VERBS.some(verb => whole(verb.words)) || ROLES.some(role => whole(role.words))
}

/** The positions of the words that are names. */
export function wordsOf(named: readonly Named[]): Set<number> {
  return new Set(named.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, n) => first + n)))
}

/** Adds the one who asks, parts of names, and, where nothing is named, what the words describe. */
async function withOthers(
  tx: Tx,
  place: Place,
  { query, userId, limit }: Asked,
  question: Question,
  found: readonly Named[],
  vector: TextVector | undefined,
): Promise<Named[]> {
  const named = [...found]
  if (question.self.length > 0) {
    const user = await userEntity(tx, place, userId ?? USER_WITHOUT_NAME)
    if (user) named.push(...question.self.slice(0, 1).map(at => ({ first: at, last: at, entities: [user] })))
  }
  const words = query.split(/\s+/u).filter(Boolean)
  const at = (word: string) => words.findIndex(one => one.includes(word))
  const parts: Named[] = []
  for (const word of question.unread.slice(0, 3)) {
    const entities = await namedInPart(tx, place, word, limit)
    if (entities.length > 0) parts.push({ first: at(word), last: at(word), entities })
  }
  named.push(...wholeNames(parts, words))
  if (named.length === 0 && isDescription(question)) {
    const meant = await searchEntities(tx, place.workspaceId, {
      ...place,
      query: question.unread.join(' '),
      vector,
      limit,
    })
    const [best] = meant.filter(one => one.score >= MEANT)
    const first = at(question.unread[0] ?? '')
    if (best) named.push({ first, last: first, entities: [best] })
  }
  return named.toSorted((a, b) => a.first - b.first)
}

/** Entities of whose name the word is a part, as "Moreau" is of "Ada Moreau". */
export async function namedInPart(tx: Tx, place: Place, word: string, limit: number): Promise<FoundEntity[]> {
  const found = await searchEntities(tx, place.workspaceId, { ...place, query: word, vector: undefined, limit })
  return found.filter(one => one.score >= PARTLY_NAMED && (one.score === 0.9 || one.score === PARTLY_NAMED))
}

/** Parts of names side by side are one name, and mean who has all of them: "Ada Hopper" is neither Ada Wang nor Grace Hopper. */
function wholeNames(parts: readonly Named[], words: readonly string[]): Named[] {
  const whole: Named[] = []
  for (const part of parts) {
    const before = whole.at(-1)
    if (
      before?.last === part.first - 1 &&
      isName(words[part.first] ?? '') &&
      BARE_NAME.test(words[before.last] ?? '')
    ) {
      const entities = before.entities.filter(({ id }) => part.entities.some(one => one.id === id))
      whole.splice(-1, 1, { first: before.first, last: part.last, entities })
    } else whole.push(part)
  }
  return whole.filter(({ entities }) => entities.length > 0)
}

const BARE_NAME = /^\p{Lu}[\p{L}\p{M}-]*$/u

/** Words in small letters describe; a name that nobody has is no description of somebody else. */
function isDescription({ unread }: Question): boolean {
  return unread.length >= 2 && unread.every(word => word === word.toLowerCase())
}

function stillUnread({ unread }: Question, named: readonly Named[]): string[] {
  const read = new Set(
    named.flatMap(({ entities }) => entities.flatMap(({ name }) => name.toLowerCase().split(/\s+/u))),
  )
  return unread.filter(word => !read.has(word.toLowerCase()))
}

/** The facts a model may choose from: those found, and all others of the named entities. */
async function surroundings(tx: Tx, place: Place, named: readonly Named[], finding: Finding): Promise<Fact[]> {
  const ids = named.flatMap(({ entities }) => entities.map(({ id }) => id))
  const around = await factsOf(tx, place, ids)
  return [...new Map([...finding.facts, ...around].map(fact => [fact.id, fact])).values()].slice(0, SHOWN_MAX)
}

/**
 * The words of the memories. A sentence that also names what holds no more is not quoted beside what holds: "moved from Berlin
 * to Lisbon" would bring Berlin into an answer about today.
 */
async function quotesOf(
  tx: Tx,
  place: Place,
  texts: MemoryTexts,
  shown: readonly Fact[],
  finding: Finding,
): Promise<Map<string, Quote>> {
  const quotes = await texts.quotes(shown)
  const holding = finding.facts.filter(fact => fact.current && quotes.has(fact.id))
  if (holding.length === 0) return quotes
  const ids = [...new Set(holding.flatMap(({ source, target }) => [source.id, target.id]))]
  const around = await factsOf(tx, place, ids, [...new Set(holding.map(fact => fact.type))])
  const kept = new Set(holding.flatMap(({ source, target }) => [source.name, target.name]))
  const former = around
    .filter(fact => !fact.current)
    .flatMap(({ source, target }) => [source.name, target.name])
    .filter(name => !kept.has(name))
  for (const { id } of holding) {
    const text = quotes.get(id)?.text.toLowerCase() ?? ''
    if (former.some(name => text.includes(name.toLowerCase()))) quotes.delete(id)
  }
  return quotes
}
