import { type Asked, QUESTION_PHRASES, QUESTION_VERBS, QUESTION_WORDS } from './lexicons/question-words.ts'
import { INVERTED_QUESTIONS, QUESTION_BEGINNINGS, QUESTION_SIGN } from './lexicons/questions.ts'
import { phrasePattern } from './phrases.ts'
import { wordingPattern } from './wording-pattern.ts'

/**
 * Tells whether a sentence asks something, by its signs alone: words that begin questions begin statements as well ("When Anna is away,
 * Ben runs the shop.").
 */
export function isQuestion(sentence: string): boolean {
  return QUESTION_SIGN.test(sentence)
}

/**
 * Tells whether a sentence of a chat asks something, where questions often end without any sign: by its sign, by its word order, or by its
 * first words where no stop says otherwise.
 */
export function asks(sentence: string): boolean {
  return isQuestion(sentence) || INVERTED.test(sentence) || (!STOP.test(sentence) && BEGINNING.test(sentence))
}

/**
 * Returns what a query asks for by its words, in all languages that the lexicon has, whether or not a question mark follows.
 * @param query without signs at its beginning
 */
export function askedIn(query: string): ReadonlySet<Asked> {
  return new Set(PATTERNS.flatMap(({ asked, patterns }) => (patterns.some(one => one.test(query)) ? asked : [])))
}

/** Tells whether a text begins with a verb before its subject, as questions do that are answered by yes or no. */
export function beginsWithQuestionVerb(text: string): boolean {
  return VERB.test(text)
}

/** Returns the words and wordings by which questions in some languages ask for something. */
export function questionWords(languages: readonly string[], asked: readonly Asked[] = ASKED): string[] {
  return languages.flatMap(language =>
    asked.flatMap(kind => [...(QUESTION_WORDS[language]?.[kind] ?? []), ...(QUESTION_PHRASES[language]?.[kind] ?? [])]),
  )
}

const ASKED: readonly Asked[] = ['who', 'where', 'when', 'duration', 'quantity', 'what', 'why', 'how']
const PATTERNS = ASKED.map(asked => ({
  asked,
  patterns: [
    phrasePattern(
      Object.values(QUESTION_WORDS).flatMap(words => words[asked] ?? []),
      { atStart: true },
    ),
    phrasePattern(Object.values(QUESTION_PHRASES).flatMap(words => words[asked] ?? [])),
  ],
}))
const VERB = phrasePattern(Object.values(QUESTION_VERBS).flat(), { atStart: true })
const INVERTED = wordingPattern(INVERTED_QUESTIONS)
const BEGINNING = wordingPattern(QUESTION_BEGINNINGS)
/** Whoever ends a sentence by this sign states something. */
const STOP = /(?<!\.)[.。．؛।]["'”’»)\]」』]*\s*$/u
