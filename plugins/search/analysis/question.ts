import { type Asked, askedIn, beginsWithQuestionVerb, isQuestion, unicodeForm } from 'mneme/plugin'
import { type DateSpan, isPresent } from './date-span.ts'
import { datesIn } from './dates.ts'

/** The kind of information a question asks for. */
export type AnswerKind = 'time' | 'quantity' | 'name'

/** Features of a query beside its words. */
export interface Question {
  /** True for a question, false for keywords. */
  readonly asks: boolean
  /** The words of the query in lower case. */
  readonly words: ReadonlySet<string>
  readonly kinds: ReadonlySet<AnswerKind>
  /** The dates it names. */
  readonly dates: readonly DateSpan[]
  /** One of them is another time than now, beyond doubt. */
  readonly isOfAnotherTime: boolean
}

/** The kind of information that an answer to each question word holds; the others ask for none of them, which changes no ranking. */
const KINDS = new Map<Asked, AnswerKind>([
  ['when', 'time'],
  ['quantity', 'quantity'],
  ['duration', 'quantity'],
  ['who', 'name'],
  ['where', 'name'],
])

/** @param language BCP 47 tag for the names of months and days; English by default */
export function readQuestion(query: string, now: Date, language?: string): Question {
  const text = unicodeForm(query, 'NFC')
    .toLowerCase()
    .replace(/^[\s"'¿¡(]+/, '')
  const asked = askedIn(text)
  const dates = datesIn(query, now, language)
  return {
    asks: asked.size > 0 || beginsWithQuestionVerb(text) || isQuestion(query),
    words: new Set(text.match(/\p{L}[\p{L}\p{M}\p{Nd}]*/gu)),
    kinds: new Set([...asked].flatMap(one => KINDS.get(one) ?? [])),
    dates,
    isOfAnotherTime: dates.some(span => !span.isDoubtful && !isPresent(span, now)),
  }
}
