import { lexicons, phrasePattern, wordsOf } from 'mneme/plugin'
import type { AskedVerb, Question, QuestionTime } from 'text-reader/inquiries'
import { type Side, type Step, TIMELESS } from 'text-reader/inquiries'
import { type EntityType, type RelationType, SYMMETRIC_TYPES } from '../contract.ts'
import { type Fact, otherEnd } from './facts.ts'

/** Pure choices among facts: from which side they are read, when they held, what their other end is. */

const TWINS: Partial<Record<RelationType, RelationType>> = { MANAGES: 'REPORTS_TO', REPORTS_TO: 'MANAGES' }
const OTHER_SIDE: Record<Side, Side> = { out: 'in', in: 'out' }

/** The types of a verb with the side each is read from; what manages is what is reported to. */
export function stepsOf(types: readonly RelationType[], side: Side): Step[] {
  const [first] = types
  return types.flatMap(type => {
    const own: Step = { type, side: first && TWINS[first] === type ? OTHER_SIDE[side] : side }
    return SYMMETRIC_TYPES.has(type) ? [own, { type, side: OTHER_SIDE[own.side] }] : [own]
  })
}

/**
 * Tells whether the named one is the subject, so that the question asks for the object. In English the order tells:
 * "who does Ana manage", "who manages Ana". In the other languages the word that asks does.
 */
export function sideOf(question: Question, text: string, verb: AskedVerb, anchorAt: number): Side {
  if (question.kind === 'where' || question.kind === 'when') return 'out'
  if (question.language === 'en') return anchorAt < verb.at !== verb.passive ? 'out' : 'in'
  if (question.kind === 'what') return 'out'
  return OBJECT.test(text) ? 'out' : 'in'
}

const OBJECT = phrasePattern(wordsOf(lexicons.OBJECT_QUESTION_WORDS))

/**
 * The facts that the steps lead to from some entities. Where there are none, the other side is tried, as long as the two ends
 * cannot be taken for one another: nobody is managed by whom he manages, but a company employs whom works there.
 */
export function follow(facts: readonly Fact[], ids: ReadonlySet<string>, steps: readonly Step[]): Fact[] {
  const reads = (fact: Fact, { type, side }: Step) => fact.type === type && ids.has(endOn(fact, side).id)
  const found = facts.filter(fact => steps.some(step => reads(fact, step)))
  if (found.length > 0) return found
  const turned = steps.map(({ type, side }) => ({ type, side: OTHER_SIDE[side] }))
  return facts.filter(fact => fact.source.type !== fact.target.type && turned.some(step => reads(fact, step)))
}

function endOn(fact: Fact, side: Side) {
  return side === 'out' ? fact.source : fact.target
}

/** Facts whose other end is of the type asked for; all of them where the type was only a guess. */
export function ofType(
  facts: readonly Fact[],
  ids: ReadonlySet<string>,
  type: EntityType | undefined,
  sure: boolean,
): Fact[] {
  if (!type) return [...facts]
  const fitting = facts.filter(fact => otherEnd(fact, ids).type === type)
  return fitting.length > 0 || sure ? fitting : [...facts]
}

/** The facts that held when the question asks for. */
export function atTime(facts: readonly Fact[], { tense, during }: QuestionTime): Fact[] {
  if (during) return facts.filter(fact => fact.start < during.to && (fact.end === null || fact.end > during.from))
  const holding = facts.filter(fact => fact.current || TIMELESS.has(fact.type))
  // A relationship that began again is not a former one.
  const ended = facts
    .filter(fact => !holding.some(one => one.id === fact.id || isSame(one, fact)))
    .toSorted((a, b) => (b.end?.getTime() ?? 0) - (a.end?.getTime() ?? 0))
  if (tense === 'now') return holding
  if (tense === 'earlier') return ended
  if (tense === 'past') return ended.length > 0 ? ended : holding
  return [...holding, ...ended]
}

export function isSame(a: Fact, b: Fact): boolean {
  return a.type === b.type && a.source.id === b.source.id && a.target.id === b.target.id
}

/** A day: times of what a memory says and of when it says it differ by less. */
const SLACK_MS = 86_400_000

/** Finds the fact directly before or after those that end at one of `ids`. */
export function nextTo(facts: readonly Fact[], ids: ReadonlySet<string>, order: 'before' | 'after'): Fact[] {
  const reference = facts.find(fact => ids.has(fact.source.id) || ids.has(fact.target.id))
  if (!reference) return []
  const others = facts.filter(
    fact => fact.type === reference.type && !ids.has(fact.source.id) && !ids.has(fact.target.id),
  )
  const start = (fact: Fact) => fact.start.getTime()
  const end = (fact: Fact) => fact.end?.getTime() ?? Number.POSITIVE_INFINITY
  const beside = others.filter(fact =>
    order === 'before'
      ? // Ended facts come before current ones, whenever they were stated.
        (reference.current && !fact.current) ||
        (start(fact) < start(reference) && end(fact) <= start(reference) + SLACK_MS)
      : start(fact) > start(reference) && start(fact) >= Math.min(end(reference), start(fact)) - SLACK_MS,
  )
  const nearest = beside.toSorted((a, b) => (order === 'before' ? start(b) - start(a) : start(a) - start(b)))
  return nearest.slice(0, 1)
}
