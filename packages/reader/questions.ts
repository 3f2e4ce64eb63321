import {
  AFTER_CONJUNCTIONS,
  AFTER_QUESTION_WORDS,
  ALSO_CONJUNCTIONS,
  ASKING_ALONE,
  INVERSIONS,
  QUESTION_PHRASES,
  QUESTION_SIGN,
  QUESTION_VERBS,
} from './lexicons/grammar.ts'
import { ASKED, type Asked, CLITIC_ENDINGS, QUESTION_WORDS } from './lexicons/index.ts'
import { phrasePattern, wordSet, wordsOf } from './words.ts'

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
  return isQuestion(sentence) || INVERTED.test(sentence) || (!STOP.test(sentence) && beginsAsQuestion(sentence))
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
const VERB = phrasePattern(wordsOf(QUESTION_VERBS), { atStart: true })
const INVERTED = phrasePattern(wordsOf(INVERSIONS), { atStart: true })
/** Whoever ends a sentence by this sign states something. */
const STOP = /(?<!\.)[.。．؛।]["'”’»)\]」』]*\s*$/u

/** Tells whether a sentence begins with a question word that begins no clause here. */
function beginsAsQuestion(sentence: string): boolean {
  return ALONE.test(sentence) || (FOLLOWED.test(sentence) && !CLAUSE.test(sentence))
}

const CONJUNCTIONS = wordSet(ALSO_CONJUNCTIONS)
const ALONE = phrasePattern(
  Object.entries(ASKING_ALONE).flatMap(([language, asked]) => askingWords(language, asked)),
  { atStart: true },
)
const FOLLOWED = new RegExp(
  AFTER_QUESTION_WORDS.map(({ language, asked, wordings }) => beginning(askingWords(language, asked), wordings)).join(
    '|',
  ),
  'iu',
)
const CLAUSE = new RegExp(
  Object.entries(AFTER_CONJUNCTIONS)
    .map(([language, wordings]) => beginning(askingWords(language, ASKED), wordings))
    .join('|'),
  'iu',
)

function askingWords(language: string, asked: readonly string[]): string[] {
  const words = ASKED.filter(kind => asked.includes(kind)).flatMap(kind => QUESTION_WORDS[language]?.[kind] ?? [])
  return words.filter(word => !CONJUNCTIONS.has(word))
}

/** Matches one of some words with one of some wordings behind it, "what's the" as well as "what the". */
function beginning(words: readonly string[], wordings: readonly string[]): string {
  const clitic = `(?:['’](?:${CLITIC_ENDINGS.join('|')}))?`
  return `^${phrasePattern(words).source}${clitic}\\s+${phrasePattern(wordings).source}`
}
