/** Reads natural language without a model: words, sentences, questions, negation, tense, languages and their word lists. */

export { claimOf } from './claims.ts'
export { isElided, withoutClitics, writtenOut } from './clitics.ts'
export { type LanguageDetector, languageDetector, languageScores } from './detection.ts'
export { isWithin, type SentenceToken, type TextSpan, unrealSpans } from './factuality.ts'
export { firstPersonIn, keepsFirstPerson } from './first-person.ts'
export { functionWords, isFunctionWord } from './function-words.ts'
export type { Asked, DateBound } from './lexicons/index.ts'
export * as lexicons from './lexicons/index.ts'
export { type MonthNames, monthNames, monthOf } from './months.ts'
export {
  denialsIn,
  denies,
  deniesVerb,
  tellsEnd,
  tellsException,
  tellsFormerly,
  tellsNoLonger,
  tellsPast,
  tellsUnreal,
} from './negation.ts'
export { foldWord, normalizeText, oneLine, trimEndSigns, trimSigns, unicodeForm } from './normalize.ts'
export { numbersIn, tellsQuantity } from './quantities.ts'
export { askedIn, asks, beginsWithQuestionVerb, isQuestion, questionWords } from './questions.ts'
export { type Sentence, type SentenceOptions, sentencesIn, unwrapped } from './sentences.ts'
export { type Standing, standingOf } from './standing.ts'
export {
  primaryTag,
  queryStemmers,
  STEMMED_LANGUAGES,
  type Stemmer,
  stemmerFor,
  UNDETERMINED,
} from './stemming/stemmers.ts'
export { toldOfUser } from './third-person.ts'
export {
  type Lexicon,
  phrasePattern,
  UNSPACED_LETTERS,
  type WordSegment,
  wordingPattern,
  wordSegments,
  wordSet,
  wordsOf,
} from './words.ts'
