import type { AnswerKind, Question } from '../analysis/question.ts'
import type { TextTraits } from '../analysis/traits.ts'
import type { Candidate } from '../engine/engine.ts'

/** When the query is a question, a text that only asks loses this share of its evidence, because the answer is a statement. */
const ASKING = 0.25
/** A question that is longer than this, in words, also tells something about who asks it, so it loses less. */
const QUESTION_LENGTH = 10

/**
 * A text gains this share if it contains what the question asks for: a time for "when", a number for "how many", a name for "who" and
 * "where".
 */
const GAIN: Readonly<Record<AnswerKind, number>> = { time: 0.5, quantity: 0.2, name: 0.05 }

/** Returns 1 for a text that tells, less for one that asks. */
export function askingFactor({ traits, length }: Pick<Candidate, 'traits' | 'length'>, { asks }: Question): number {
  return asks ? 1 - ASKING * traits.asking * Math.min(1, QUESTION_LENGTH / Math.max(1, length)) : 1
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
