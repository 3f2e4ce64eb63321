import type { Language } from 'text-reader/facts'
import { dateOf, dayOf, listOf, phraseOf, WORDS } from 'text-reader/inquiries'
import type { EntityReference } from '../reading/edges.ts'
import type { Fact } from './facts.ts'
import type { Quote } from './texts.ts'
import type { Finding } from './verdict.ts'

/** An answer to a question about the graph. */
export interface GraphAnswer {
  readonly answer: string
  readonly confidence: number
  readonly entitiesUsed: readonly EntityReference[]
}

const CONFIDENCE_UNKNOWN = 0.1
/** An answer that rests on a relationship has at least this confidence. */
const CONFIDENCE_MIN = 0.5
const CONFIDENCE_MAX = 0.98
/** An answer is no surer where something was said later about the same thing, which the graph has not understood. */
const CONFIDENCE_OVERTAKEN_MAX = 0.5
/** Facts that are told with the words of their memory; more would be read by nobody. */
const QUOTED_MAX = 2

export function unknownAnswer(language: Language): GraphAnswer {
  return { answer: WORDS[language].unknown, confidence: CONFIDENCE_UNKNOWN, entitiesUsed: [] }
}

/** Sentences made from relationships, with the words and the day of the memories they rest on. */
export function compose(
  language: Language,
  { facts, verdict, dated }: Finding,
  quotes: ReadonlyMap<string, Quote>,
  { later, userId }: { readonly later?: Quote | undefined; readonly userId?: string | undefined } = {},
): GraphAnswer {
  if (facts.length === 0) return unknownAnswer(language)
  const said = facts.map(fact => withoutId(fact, userId, language))
  const told = said.length > 1 ? grouped(language, said) : said.map(fact => sentenceOf(language, fact))
  const quoted = facts.slice(0, QUOTED_MAX).flatMap(fact => {
    const quote = quotes.get(fact.id)
    return quote ? [`“${quote.text}” (${dayOf(language, quote.statedAt)})`] : []
  })
  const sentence = `${told.join('; ')}.`
  const user = WORDS[language].theUser
  const parts = [
    ...(verdict ? [WORDS[language][verdict]] : []),
    sentence.startsWith(user) ? `${user.charAt(0).toUpperCase()}${sentence.slice(1)}` : sentence,
    ...(dated ? dating(language, facts) : []),
    ...(quoted.length > 0 ? [[...new Set(quoted)].join(' ')] : []),
    ...(later ? [`${WORDS[language].later} ${dayOf(language, later.statedAt)}: “${later.text}”`] : []),
  ]
  const sure = confidenceOf(facts, verdict)
  const confidence = later ? Math.min(sure, CONFIDENCE_OVERTAKEN_MAX) : sure
  return { answer: parts.join(' '), confidence, entitiesUsed: endsOf(facts) }
}

/** As sure as the weakest link of what has to hold together; of a list, as its best item. */
function confidenceOf(facts: readonly Fact[], verdict: Finding['verdict']): number {
  const best = Math.max(...facts.map(fact => fact.weight))
  const share = verdict === 'notKnown' ? 0.2 : 1
  const sure = CONFIDENCE_MIN + (CONFIDENCE_MAX - CONFIDENCE_MIN) * Math.min(1, Math.max(0, best)) * share
  return Math.round(sure * 100) / 100
}

function endsOf(facts: readonly Fact[]): EntityReference[] {
  return [...new Map(facts.flatMap(({ source, target }) => [source, target]).map(end => [end.id, end])).values()]
}

/** A user without a stated name goes by their id, which is no name. */
export function withoutId(fact: Fact, userId: string | undefined, language: Language): Fact {
  const named = <R extends Fact['source']>(end: R) =>
    end.name === userId ? { ...end, name: WORDS[language].theUser } : end
  return { ...fact, source: named(fact.source), target: named(fact.target) }
}

/** A relationship in words, without a full stop: "Ada works at Acme, since May 2024". */
export function sentenceOf(language: Language, fact: Fact): string {
  const { source, target, type, current } = fact
  return `${source.name} ${phraseOf(language, type, current)} ${target.name}${spanOf(language, fact)}`
}

/** ", since May 2024", ", until 2021", ", from 2019 until 2021" */
function spanOf(language: Language, { from, to }: Fact): string {
  const words = WORDS[language]
  if (from && to) return `, ${words.from} ${dateOf(language, from)} ${words.until} ${dateOf(language, to)}`
  if (from) return `, ${words.since} ${dateOf(language, from)}`
  return to ? `, ${words.until} ${dateOf(language, to)}` : ''
}

/** Facts of one source and type become one sentence, unless times are given. */
function grouped(language: Language, facts: readonly Fact[]): string[] {
  const keyOf = (fact: Fact) =>
    fact.from || fact.to ? fact.id : `${fact.source.id} ${phraseOf(language, fact.type, fact.current)}`
  return [...Map.groupBy(facts, keyOf).values()].flatMap(group => {
    const [first] = group
    if (!first) return []
    if (group.length === 1) return [sentenceOf(language, first)]
    const targets = [...new Set(group.map(fact => fact.target.name))]
    return [`${first.source.name} ${phraseOf(language, first.type, first.current)} ${listOf(language, targets)}`]
  })
}

/** For a question that asks when: where no memory says it, the day of the first that speaks of it. */
function dating(language: Language, facts: readonly Fact[]): string[] {
  const [fact] = facts
  if (!fact || fact.from || fact.to) return []
  return [`${WORDS[language].noDate} ${dayOf(language, fact.start)}.`]
}
