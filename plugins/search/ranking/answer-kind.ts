import type { AnswerKind, Question } from '../analysis/question.ts'
import type { TextTraits } from '../analysis/traits.ts'

/** If the query is a question too, a text that only asks loses this share of its evidence, because the query wants a statement. */
const ASKING = 0.25

/**
 * A text gains this share if it contains what the question asks for: a time for "when", a number for "how many", a name for "who" and
 * "where".
 */
const GAIN: Readonly<Record<AnswerKind, number>> = { time: 0.35, quantity: 0.2, name: 0.15 }

/** Returns 1 for a text that tells, less for one that asks. */
export function askingFactor({ asking }: TextTraits, { asks }: Question): number {
  return asks ? 1 - ASKING * asking : 1
}

/** Returns 1, or more for a text that could contain the kind of information the question asks for. */
export function answerFactor(traits: TextTraits, { kinds }: Question): number {
  const tells: Readonly<Record<AnswerKind, boolean>> = {
    time: traits.tellsTime,
    quantity: traits.tellsQuantity,
    name: traits.tellsName,
  }
  return [...kinds].reduce((factor, kind) => (tells[kind] ? factor * (1 + GAIN[kind]) : factor), 1)
}
