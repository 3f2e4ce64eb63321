import { languageDetector, type Tenant, type Tx } from 'mneme/plugin'
import type { Question } from 'text-reader/inquiries'
import { askedByUser } from 'text-reader/inquiries'
import { memoryReader } from '../../memories/contract.ts'
import type { At } from '../reading/instants.ts'
import { queryVector } from '../reading/query-vector.ts'
import { possibleNames } from '../reading/spotting.ts'
import type { GraphScope } from '../scope.ts'
import { compose, type GraphAnswer } from './compose.ts'
import { type Fact, factsOf, type Place } from './facts.ts'
import { type Material, modelAnswer } from './model-answer.ts'
import type { Asker } from './named.ts'
import { type Prepared, seek } from './seek.ts'
import { laterStatement, type MemoryTexts, type Quote } from './texts.ts'
import type { Finding, Named } from './verdict.ts'

export interface Asked extends Asker {
  readonly at: At
}

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
  const { language, finding, quotes, later, material } = await tenant.transaction(tx =>
    read(tx, scope, place, asked, { names, vector, detector }),
  )
  const local = compose(language, finding, quotes, { later, userId: asked.userId })
  return (await modelAnswer(scope, workspaceId, given.query, material)) ?? local
}

interface Read {
  readonly language: Question['language']
  readonly finding: Finding
  readonly quotes: ReadonlyMap<string, Quote>
  readonly later: Quote | undefined
  readonly material: Material
}

async function read(tx: Tx, scope: GraphScope, place: Place, asked: Asked, prepared: Prepared): Promise<Read> {
  const reader = scope.wiring.use(memoryReader)
  const { question, named, finding, texts } = await seek(tx, place, reader, asked, prepared)
  const shown = scope.language.available('interactive') ? await surroundings(tx, place, named, finding) : finding.facts
  const quotes = await quotesOf(tx, place, texts, shown, finding)
  const isOfNow = place.at === undefined && question.time.during === undefined
  const later = isOfNow ? await laterStatement(tx, reader, finding.facts) : undefined
  return {
    language: question.language,
    finding,
    quotes,
    later,
    material: { facts: shown, quotes },
  }
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
