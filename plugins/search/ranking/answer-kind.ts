import type { AnswerKind, Question } from '../analysis/question.ts'
import type { TextTraits } from '../analysis/traits.ts'

/** What is taken from a text that only asks, when the query asks as well: it wants what was told. */
const ASKING = 0.25

/** What a text gains that tells what the question asks for: "when" a time, "how many" a number, "who" and "where" a name. */
const GAIN: Readonly<Record<AnswerKind, number>> = { time: 0.35, quantity: 0.2, name: 0.15 }

/** 1 for a text that tells, less for one that asks. */
export function askingFactor({ asking }: TextTraits, { asks }: Question): number {
  return asks ? 1 - ASKING * asking : 1
}

/** 1, or more for a text that could hold the kind of answer the question asks for. */
export function answerFactor(traits: TextTraits, { kinds }: Question): number {
  const tells: Readonly<Record<AnswerKind, boolean>> = {
    time: traits.tellsTime,
    quantity: traits.tellsQuantity,
    name: traits.tellsName,
  }
  return [...kinds].reduce((factor, kind) => (tells[kind] ? factor * (1 + GAIN[kind]) : factor), 1)
}
