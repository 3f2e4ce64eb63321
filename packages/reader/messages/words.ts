import {
  asks,
  firstPersonIn,
  functionWords,
  languageDetector,
  lexicons,
  trimEndSigns,
  UNSPACED_LETTERS,
  withoutClitics,
  wordingPattern,
} from '../index.ts'

/** One turn of a talk. */
export interface Turn {
  /** Its place in the talk, from 0. */
  readonly turn: number
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/** Something worth keeping, and the turn in which it was said. */
export interface Fact {
  readonly turn: number
  readonly text: string
}

/** Words of grammar and of talk, which say nothing by themselves. */
export interface Language {
  /** A primary tag. */
  readonly code: string
  readonly empty: ReadonlySet<string>
  /** Nouns of this language are written with a capital, which therefore tells no name. */
  readonly capitalNouns: boolean
  /** Whoever speaks of himself says so in a word that is known. In other languages the verb tells, or nothing. */
  readonly namesSpeaker: boolean
  /** Tells whether a sentence orders something by its verb; an order that holds for ever is a wish. */
  readonly isOrder: (sentence: string) => boolean
}

/** The codes of languages whose words of the first person are hardly ever left out, or known with the verbs. */
const NAMING_SPEAKER = ['en', 'de', 'es', 'fr', 'nl', 'sv']
const CODES = ['en', 'de', 'es', 'fr', 'pt', 'it', 'nl', 'sv', 'pl', 'ru', 'tr'] as const

/** The package's long lists also hold words such as "früher" and "Jahr", so only their short words count as grammar. */
const GRAMMAR_LETTERS_MAX = 6

/** The mood of English sentences is told by their parts of speech, which take a model. */
let givesEnglishOrder = (_: string) => false

const LANGUAGES = new Map(CODES.map(code => [code, languageOf(code)]))
const ENGLISH = languageOf('en')

function languageOf(code: string): Language {
  const short = functionWords(code).filter(word => word.length <= GRAMMAR_LETTERS_MAX)
  return {
    code,
    empty: new Set([...short, ...(lexicons.SMALL_TALK[code] ?? [])]),
    capitalNouns: lexicons.CAPITAL_NOUN_LANGUAGES.includes(code),
    namesSpeaker: NAMING_SPEAKER.includes(code),
    isOrder: orderTest(code),
  }
}

function orderTest(code: string): Language['isOrder'] {
  if (code === 'en') return sentence => givesEnglishOrder(sentence)
  const wordings = lexicons.ORDERS[code]
  const pattern = wordings && wordingPattern({ [code]: wordings })
  return sentence => pattern?.test(sentence) ?? false
}

/** The scripts of the languages above. */
const KNOWN_SCRIPTS = /[\p{sc=Latin}\p{sc=Cyrillic}]/gu
const OTHER: Language = {
  code: 'und',
  empty: new Set(),
  capitalNouns: false,
  namesSpeaker: false,
  isOrder: () => false,
}

/**
 * Tells the language of a message. One too short to tell is in that of the rest of what its writer says; English when none is clear.
 *
 * @param all what the same user says, the message among it
 */
export async function languageOfMessage(message: string, all = message): Promise<Language> {
  if (isInOtherScript(message)) return OTHER
  givesEnglishOrder = (await import('./orders.ts')).givesEnglishOrder
  const detector = await languageDetector()
  const code = detector.likeliest(message, CODES)
  const isClear = detector.detect(message) === code
  return LANGUAGES.get(isClear ? code : detector.likeliest(all, CODES)) ?? ENGLISH
}

function isInOtherScript(message: string): boolean {
  const letters = message.match(/\p{L}/gu)?.length ?? 0
  return 2 * (message.match(KNOWN_SCRIPTS)?.length ?? 0) < letters
}

function wordsIn(text: string): string[] {
  return (text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’.&+#-]*/gu) ?? []).map(word =>
    trimEndSigns(word.toLowerCase().replaceAll('’', "'"), /[.'-]/),
  )
}

/** Returns the content words of a sentence, without grammar and small talk. */
export interface Substance {
  /** Different words that say something. */
  readonly words: number
  readonly isFirstPerson: boolean
  /** A name, a number, or a word in capitals. */
  readonly hasName: boolean
}

export function substanceOf(sentence: string, language: Language): Substance {
  if (WITHOUT_SPACES.test(sentence)) return substanceWithoutSpaces(sentence)
  const words = wordsIn(sentence).flatMap(word => bareOf(word, language))
  const telling = new Set(words.filter(word => !language.empty.has(word) && (word.length > 1 || /\d/.test(word))))
  const inside = sentence.replace(/^[^\p{L}\p{N}]*[\p{L}\p{N}'’]+/u, '')
  const name = language.capitalNouns ? /\d|\p{Lu}{2}/u : /\d|(?<![\p{L}'’])(?!I(?![\p{L}]))\p{Lu}/u
  return {
    words: telling.size,
    isFirstPerson: firstPersonIn(sentence, language.code) !== undefined,
    hasName: name.test(inside) || /^[^\p{L}]*\d/u.test(sentence),
  }
}

function bareOf(word: string, { empty }: Language): string[] {
  if (empty.has(word)) return []
  const bare = withoutClitics(word)
  return bare === '' ? [] : [bare]
}

const WITHOUT_SPACES = new RegExp(`[${UNSPACED_LETTERS}]{4}`, 'u')
/** In Japanese Hiragana mostly writes grammar; the other letters of such scripts tell something. */
const TELLING_LETTERS = new RegExp(`[[${UNSPACED_LETTERS}\\p{N}]--\\p{sc=Hiragana}]|[A-Za-z]{2,}`, 'gv')
const LETTERS_A_WORD = 2
const LEFT_OUT_MIN = 3

function substanceWithoutSpaces(sentence: string): Substance {
  const rest = sentence.replace(lexicons.UNSPACED_SMALL_TALK, ' ')
  const letters = rest.match(TELLING_LETTERS)?.length ?? 0
  return {
    words: Math.floor(letters / LETTERS_A_WORD),
    // Whoever speaks of himself in these languages mostly leaves himself out.
    isFirstPerson: letters >= LEFT_OUT_MIN || lexicons.UNSPACED_FIRST_PERSON.test(sentence),
    hasName: /[\p{sc=Katakana}ー]{3}|\d|[A-Z]/u.test(rest),
  }
}

/** Speech acts that are no statement of the user about the world. */
export const speechActs = {
  isQuestion: asks,
  /** A question that recommends something. */
  isSuggestion: (sentence: string) => SUGGESTION.test(sentence),
  isRequest: (sentence: string, isOrder?: Language['isOrder']) =>
    (REQUEST.test(sentence) || isOrder?.(sentence) === true) && !STANDING.test(sentence),
  isSupposition: (sentence: string) => SUPPOSITION.test(sentence) && !STANDING.test(sentence),
  isStandingWish: (sentence: string, isOrder?: Language['isOrder']) =>
    STANDING.test(sentence) && (REQUEST.test(sentence) || isOrder?.(sentence) === true),
  isCourtesy: (sentence: string) => COURTESY.test(sentence) || ADDRESSING.test(sentence),
  /** Words about the one who is spoken to are none of these, since an assistant's may be advice. */
  isAssistantsCourtesy: (sentence: string) => COURTESY.test(sentence),
  isThanks: (sentence: string) => THANKS.test(sentence),
  givesRole: (message: string) => ROLE.test(message),
  isAboutMaterial: (sentence: string) => MATERIAL.test(sentence),
}

const REQUEST = wordingPattern(lexicons.REQUESTS, lexicons.SUPPOSITIONS)
const SUPPOSITION = wordingPattern(lexicons.SUPPOSITIONS)
const STANDING = wordingPattern(lexicons.STANDING_WISHES)
const SUGGESTION = wordingPattern(lexicons.SUGGESTIONS)
const ADDRESSING = wordingPattern(lexicons.ADDRESSING)
const COURTESY = wordingPattern(lexicons.PLEASANTRIES, lexicons.ANNOUNCEMENTS)
const THANKS = wordingPattern(lexicons.THANKS)
const ROLE = wordingPattern(lexicons.ROLES)
const MATERIAL = wordingPattern(lexicons.MATERIAL_REQUESTS)
const LEAD_IN = wordingPattern(lexicons.LEAD_INS)
const KEEP = wordingPattern(lexicons.KEEP_REQUESTS)

/** Removes a sentence's introductory words; at most a few of them follow one another. */
export function withoutLeadIn(sentence: string): string {
  let rest = sentence.trim()
  for (let n = 0; n < LEAD_INS_MAX; n++) {
    const shorter = rest.replace(LEAD_IN, '').trim()
    if (shorter === rest) break
    rest = shorter
  }
  return rest
}

const LEAD_INS_MAX = 4

/** Returns the statement that the user asks to remember, without the request itself; undefined when there is none. */
export function askedToKeep(sentence: string): string | undefined {
  const found = KEEP.exec(sentence)
  const rest = found ? sentence.slice(found[0].length).trim() : ''
  return rest === '' ? undefined : rest
}
