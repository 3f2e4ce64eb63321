import { isQuestion, type Lexicon, lexicons, UNSPACED_LETTERS, wordingPattern, wordsOf } from '../index.ts'
import {
  filedByHints,
  type Hints,
  type KeptSentence,
  type RelationType,
  type Span,
  type StatementCategory,
} from './kinds.ts'

/** A sentence and what was found in it. */
export interface ReadSentence {
  readonly span: Span
  readonly relations: readonly RelationType[]
  readonly names: number
  readonly isFirstPerson: boolean
}

const BY_RELATION: Readonly<Partial<Record<RelationType, StatementCategory>>> = {
  WORKS_AT: 'work_context',
  MANAGES: 'work_context',
  REPORTS_TO: 'work_context',
  COLLABORATES_WITH: 'work_context',
  KNOWS: 'relationships',
  RELATED_TO: 'relationships',
  MARRIED_TO: 'relationships',
  PARENT_OF: 'relationships',
  LIVES_IN: 'personal',
  BORN_IN: 'personal',
  STUDIED_AT: 'personal',
  OWNS: 'personal',
  MEMBER_OF: 'personal',
  USES_TECHNOLOGY: 'tech_stack',
  LIKES: 'preferences',
  DISLIKES: 'preferences',
  INTERESTED_IN: 'preferences',
  VISITED: 'general',
  LOCATED_IN: 'general',
  PART_OF: 'general',
}

/** Statements about people close to the user belong to relationships. */
const OWN_PEOPLE = wordingPattern(lexicons.OWN_PEOPLE)

/** Wordings of each category; the first two decide by themselves. */
const BY_WORDS: readonly (readonly [RegExp, StatementCategory])[] = [
  [wordingPattern(lexicons.SUBJECT_WORDINGS.communication), 'communication_style'],
  [wordingPattern(lexicons.SUBJECT_WORDINGS.goals), 'goals'],
  [wordingPattern(lexicons.SUBJECT_WORDINGS.tastes), 'preferences'],
  [wordingPattern(lexicons.SUBJECT_WORDINGS.technology), 'tech_stack'],
  [wordingPattern(lexicons.SUBJECT_WORDINGS.work), 'work_context'],
  [wordingPattern(lexicons.SUBJECT_WORDINGS.relatives), 'relationships'],
  [wordingPattern(lexicons.SUBJECT_WORDINGS.personal), 'personal'],
]

const TALK = wordingPattern(lexicons.TALK_BEGINNINGS)
const ORDERS = wordingPattern(lexicons.ORDERS_TO_ASSISTANTS)
const MACHINE =
  /\b(?:ERROR|WARN|DEBUG|TypeError|Exception|SELECT|INSERT|UPDATE|DELETE FROM|git (?:push|pull|commit)|npm (?:run|install))\b|[{}<>]|;\s*$|=>|::|\w\(\w*\)/

/** The first words of a log, a stack trace, a request or a program. */
const OUTPUT =
  /^\W*(?:(?:npm|yarn|pnpm) (?:ERR|WARN|error)|(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \/|\d{4}-\d\d-\d\d[T ]\d\d:\d\d|Traceback \(|Caused by:|at \S+\(|(?:\w[\w.]*)?(?:Error|Exception): |(?:const|let|var) \w+ =|function \w*\(|import \{|#include|[a-z][\w./ -]* (?:&&|\|\|) |[a-z][\w./ -]* --?[a-z-]+(?:[= ]|$))/

/** Machine output names nobody. */
export function isOutput(sentence: string): boolean {
  return OUTPUT.test(sentence)
}

/** Shorter ones have to be about somebody. */
const WORDS_MIN = 4
/** Letters of all characters: less is a table, a number or a drawing. */
const LETTERS_MIN = 0.5
/** As much as four words, in scripts that put no spaces between them. */
const UNSPACED = new RegExp(`[${UNSPACED_LETTERS}ー]{5}`, 'u')
/** Matches momentary moods and passing remarks. */
const MOOD = new RegExp(
  `^(?:${oneOf(lexicons.MOOD_SUBJECTS)})\\s+(?:(?:${oneOf(lexicons.MOOD_ADVERBS)}) )?(?:${oneOf(lexicons.MOODS)})\\b`,
  'iu',
)

function oneOf(lexicon: Lexicon): string {
  return wordsOf(lexicon).join('|').replaceAll("'", "['’]")
}

/** A longer sentence is cut into several statements. */
const STATEMENT_MAX = 500
/** Marks between clauses, in several scripts. */
const CLAUSE_MARKS = /[,;:](?=\s)|[，、；：،؛။៖]/gu

/**
 * Cuts a long sentence, which is one by its signs alone: chats go without stops, and Thai, Lao, Khmer and Burmese put a space between
 * sentences. It is cut behind a mark between clauses, else at a space; a run without either is no language.
 */
export function partsOf(text: string, { start, end }: Span): Span[] {
  const parts: Span[] = []
  let from = start
  while (end - from > STATEMENT_MAX) {
    const cut = from + cutIn(text.slice(from, from + STATEMENT_MAX))
    if (cut > from) parts.push(trimmed(text, from, cut))
    const next = text.slice(Math.max(cut, from + 1), end).search(/\s/)
    if (cut === from && next < 0) return parts
    from = cut > from ? cut : from + 1 + next
  }
  return [...parts, trimmed(text, from, end)].filter(part => part.end > part.start)
}

/** Finds the last place to cut words at; 0 where there is none. */
function cutIn(words: string): number {
  const mark = [...words.matchAll(CLAUSE_MARKS)].at(-1)
  const clause = mark ? mark.index + 1 : 0
  return clause >= STATEMENT_MAX / 2 ? clause : Math.max(clause, words.search(/\s\S*$/), 0)
}

function trimmed(text: string, start: number, end: number): Span {
  const part = text.slice(start, end)
  const from = start + part.length - part.trimStart().length
  return { start: from, end: Math.max(from, start + part.trimEnd().length) }
}

/** Sentences worth keeping, without a category yet. */
function worthKeeping(text: string, { span, relations, names, isFirstPerson }: ReadSentence): number {
  const sentence = text.slice(span.start, span.end)
  if (sentence.length > STATEMENT_MAX || isQuestion(sentence) || TALK.test(sentence) || ORDERS.test(sentence)) return 0
  if (relations.length > 0) return 0.9
  if (MACHINE.test(sentence) || isTooShort(sentence, names > 0, isFirstPerson)) return 0
  const letters = sentence.match(/\p{L}/gu)?.length ?? 0
  if (letters < LETTERS_MIN * sentence.replace(/\s/g, '').length) return 0
  return names > 0 || isFirstPerson ? 0.75 : 0.55
}

/** "I'm divorced." and "Sofia replaced Arjun." tell something, "Good idea." and "I see." do not. */
function isTooShort(sentence: string, hasName: boolean, isFirstPerson: boolean): boolean {
  if (UNSPACED.test(sentence)) return false
  const words = sentence.split(/\s+/).length
  if (words >= WORDS_MIN) return false
  if (isFirstPerson) return words < 2 || MOOD.test(sentence)
  return words < 3 || !hasName
}

/** By what decides alone; undefined where likeness has to be asked. */
function certainCategory(sentence: string, hints: Hints): StatementCategory | undefined {
  for (const [words, category] of BY_WORDS.slice(0, 2)) if (words.test(sentence)) return category
  if (OWN_PEOPLE.test(sentence)) return 'relationships'
  return hints.areAll && hints.weights.size === 1 ? filedByHints(hints) : undefined
}

/** Facts of several kinds stand in one sentence, and its words may be about something else: each counts, none decides. */
function hintsOf(sentence: string, relations: readonly RelationType[]): Hints {
  const weights = new Map<StatementCategory, number>()
  const stated = relations.flatMap(type => BY_RELATION[type] ?? []).filter(category => category !== 'general')
  for (const category of stated) weights.set(category, BY_FACT)
  for (const [words, category] of BY_WORDS) {
    if (words.test(sentence)) weights.set(category, (weights.get(category) ?? 0) + BY_WORDING)
  }
  if (weights.size === 0 && relations.includes('VISITED'))
    return { weights: new Map([['general', BY_FACT]]), areAll: true }
  return { weights: new Map([...weights].toSorted(([, a], [, b]) => b - a)), areAll: stated.length > 0 }
}

/** A fact, and a wording, adds so much to a sentence's likeness to its category. Both were chosen on the texts of `bench/extraction` for tuning. */
const BY_FACT = 0.2
const BY_WORDING = 0.15

/** Returns the part of a sentence to keep; undefined when nothing is worth keeping. */
export function keptOf(text: string, sentence: ReadSentence): KeptSentence | undefined {
  const confidence = worthKeeping(text, sentence)
  if (confidence === 0) return undefined
  const { span, relations } = sentence
  const words = text.slice(span.start, span.end)
  const hints = hintsOf(words, relations)
  return { text: words, span, confidence, category: certainCategory(words, hints), hints }
}
