import { Type } from '@sinclair/typebox'
import type { Question } from '../analysis/traits.ts'
import type { Candidate } from '../engine/engine.ts'
import type { Signal } from './signal.ts'

/** When the query is a question, a text that only asks loses this share of its evidence, because the answer is a statement. */
const ASKING = 0.25
/** A question that is longer than this, in words, also tells something about who asks it, so it loses less. */
const QUESTION_LENGTH = 10

export const asking: Signal = {
  id: 'asking',
  weight: 1,
  neutral: 1,
  of:
    ({ question }) =>
    candidate =>
      askingFactor(candidate, question),
  explain: Type.Number({ description: 'Below 1 when the text is a short question.' }),
}

/** Returns 1 for a text that tells, less for one that asks. */
function askingFactor({ traits, length }: Candidate, { asks }: Question): number {
  return asks ? 1 - ASKING * traits.asking * Math.min(1, QUESTION_LENGTH / Math.max(1, length)) : 1
}
