import type { Tx } from 'mneme/plugin'
import type { Question } from 'text-reader/inquiries'
import type { RelationType } from '../contract.ts'
import type { EntityReference } from '../reading/edges.ts'
import { oppositeOf } from '../writing/fold-evidence.ts'
import { follow, isSame, stepsOf } from './choose.ts'
import { type Fact, factsOf, type Place } from './facts.ts'

/** Entities that one name in a question may mean, with the words it takes. */
export interface Named {
  readonly first: number
  readonly last: number
  readonly entities: readonly EntityReference[]
}

/** The graph's answer to a question. */
export interface Finding {
  /** In the order in which they are told; none where nothing is known. */
  readonly facts: readonly Fact[]
  /** To a question that wants yes or no. */
  readonly verdict?: 'yes' | 'no' | 'notAnyMore' | 'notKnown'
  /** It was asked when. */
  readonly dated?: boolean
}

export const NOTHING: Finding = { facts: [] }

/** Types that usually have a single current value, so that another value is half an answer. */
const USUALLY_ONE: ReadonlySet<RelationType> = new Set(['WORKS_AT', 'LIVES_IN', 'BORN_IN', 'MARRIED_TO', 'REPORTS_TO'])

/** The facts in which an answer is sought. */
interface Known {
  readonly tx: Tx
  readonly place: Place
}

/** Tells whether the asked fact is among the facts, was once, or something else is known in its place. */
export function verdictOn(
  all: readonly Fact[],
  chosen: readonly Fact[],
  objects: ReadonlySet<string>,
  via: readonly Fact[],
): Finding {
  const meets = (fact: Fact) => objects.has(fact.target.id) || objects.has(fact.source.id)
  const told = chosen.filter(meets)
  if (told.length > 0) return { facts: [...via, ...told], verdict: 'yes' }
  const former = all.filter(meets).filter(fact => !all.some(one => one.current && isSame(one, fact)))
  if (former.length > 0) return { facts: [...via, ...former.slice(0, 1)], verdict: 'notAnyMore' }
  const instead = all.filter(fact => fact.current && USUALLY_ONE.has(fact.type))
  return instead.length > 0 ? { facts: [...via, ...instead.slice(0, 2)], verdict: 'notKnown' } : NOTHING
}

/** "Does Ana live in Rabat?" where nothing is known of Rabat: what is known in its place. */
export async function elsewhere(
  { tx, place, text, question }: Known & { readonly text: string; readonly question: Question },
  subject: Named,
): Promise<Finding> {
  const { verb, kind, unread } = question
  const [type] = verb?.types ?? []
  const words = text.split(/\s+/u)
  const isObject = unread.filter(isName).every(name => words.findLastIndex(one => one.includes(name)) > (verb?.at ?? 0))
  if (kind !== 'yesno' || !type || !USUALLY_ONE.has(type) || !isObject || !verb || verb.at < subject.last)
    return NOTHING
  const facts = follow(
    await factsOf(tx, place, idsOf(subject), [type]),
    new Set(idsOf(subject)),
    stepsOf([type], 'out'),
  )
  return verdictOn(facts, [], new Set(), [])
}

/** "Do I like olives?" of one who dislikes them. */
export async function opposed(
  { tx, place }: Known,
  types: readonly RelationType[],
  ids: ReadonlySet<string>,
  other: Named,
): Promise<Finding> {
  const [opposite] = types.flatMap(type => oppositeOf(type) ?? [])
  if (!opposite) return NOTHING
  const objects = new Set(idsOf(other))
  const facts = (await factsOf(tx, place, [...ids], [opposite])).filter(
    fact => fact.current && ids.has(fact.source.id) && objects.has(fact.target.id),
  )
  return facts.length > 0 ? { facts, verdict: 'no' } : NOTHING
}

export function idsOf(named: Named): string[] {
  return named.entities.map(entity => entity.id)
}

export function isName(word: string): boolean {
  return /^\p{Lu}/u.test(word)
}
