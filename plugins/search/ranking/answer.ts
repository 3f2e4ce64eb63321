import { Type } from '@sinclair/typebox'
import type { AnswerKind, Question, TextTraits } from '../analysis/traits.ts'
import type { Signal } from './signal.ts'

/** Above 1 for a text that could contain the kind of information the question asks for. */
export const answer: Signal = {
  id: 'answer',
  weight: 1,
  neutral: 1,
  of:
    ({ question }) =>
    ({ traits }) =>
      answerFactor(traits, question),
  explain: Type.Number({ description: 'Above 1 when it contains the kind of information that the query asks for.' }),
}

/**
 * A text gains this share if it contains what the question asks for: a time for "when", a number for "how many", a name for "who" and
 * "where".
 */
const GAIN: Readonly<Record<AnswerKind, number>> = { time: 0.5, quantity: 0.2, name: 0.05 }

/** Returns 1, or more for a text that could contain the kind of information the question asks for. */
export function answerFactor(traits: TextTraits, { kinds }: Question): number {
  const tells: Readonly<Record<AnswerKind, boolean>> = {
    time: traits.tellsTime,
    quantity: traits.tellsQuantity,
    name: traits.tellsName,
  }
  return [...kinds].reduce((factor, kind) => (tells[kind] ? factor * (1 + GAIN[kind]) : factor), 1)
}
