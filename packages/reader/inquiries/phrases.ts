import type { RelationType } from '../facts/kinds.ts'
import type { Language } from '../facts/parts.ts'
import answers from '../lexicons/answers.json' with { type: 'json' }

type Phrases = Readonly<Record<RelationType, { readonly now: string; readonly then: string }>>
const RELATIONS: Readonly<Record<Language, Phrases>> = answers.RELATIONSHIP_PHRASES

/** "works at", or "worked at" for what holds no more. */
export function phraseOf(language: Language, type: RelationType, current: boolean): string {
  const { now, then } = RELATIONS[language][type]
  return current ? now : then
}

interface Words {
  readonly and: string
  readonly since: string
  readonly until: string
  readonly from: string
  readonly yes: string
  readonly no: string
  readonly notAnyMore: string
  readonly notKnown: string
  readonly unknown: string
  readonly noDate: string
  /** Stands for a user without a stated name. */
  readonly theUser: string
  /** Introduces a later statement about the same thing, with its day. */
  readonly later: string
  readonly locale: string
}

export const WORDS: Readonly<Record<Language, Words>> = answers.ANSWER_WORDS

/** As exact as it seems to be meant: a first of January is a year, a first of a month that month. */
export function dateOf(language: Language, date: Date): string {
  const first = date.getUTCDate() === 1
  const options: Intl.DateTimeFormatOptions = {
    timeZone: 'UTC',
    year: 'numeric',
    ...(first && date.getUTCMonth() === 0 ? {} : { month: 'long' }),
    ...(first ? {} : { day: 'numeric' }),
  }
  return new Intl.DateTimeFormat(WORDS[language].locale, options).format(date)
}

export function dayOf(language: Language, date: Date): string {
  return new Intl.DateTimeFormat(WORDS[language].locale, { timeZone: 'UTC', dateStyle: 'long' }).format(date)
}

/** "a, b and c" */
export function listOf(language: Language, items: readonly string[]): string {
  const last = items.at(-1) ?? ''
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} ${WORDS[language].and} ${last}`
}
