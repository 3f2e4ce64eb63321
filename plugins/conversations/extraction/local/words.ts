import * as stopwords from 'stopword'
import { CHAT_PHRASES, CHAT_WORDS } from './chat-words.ts'

/** Words of grammar and of talk, which say nothing by themselves. */
export interface Language {
  readonly empty: ReadonlySet<string>
  readonly firstPerson: RegExp
  /** Nouns of this language are written with a capital, which therefore tells no name. */
  readonly capitalNouns: boolean
}

const FIRST_PERSON = {
  en: /(?<![\p{L}'’])(?:i|i['’](?:m|ve|d|ll)|im|ive|my|mine|myself|we|we['’](?:re|ve|d|ll)|us|our|ours|me)(?![\p{L}])/iu,
  de: /(?<!\p{L})(?:ich|mein\p{L}{0,2}|mich|mir|wir|uns|unser\p{L}{0,2})(?!\p{L})/iu,
  es: /(?<!\p{L})(?:yo|mi|mis|mí|me|conmigo|nosotr[oa]s|nos|nuestr[oa]s?|soy|estoy|tengo|vivo|trabajo|quiero|prefiero|estudio|nací|odio|voy|fui|uso|hablo|llevo)(?!\p{L})/iu,
  fr: /(?<!\p{L})(?:je|j['’]\p{L}+|moi|mon|ma|mes|m['’]\p{L}+|me|nous|notre|nos)(?!\p{L})/iu,
  none: /(?<!\p{L})(?:eu|meu|minha|io|mio|mia|ik|mijn|jag|min|jeg|ja|mój|moja|я|мой|моя|мы|у меня)(?!\p{L})/iu,
} as const

const PACKAGE_LISTS: Readonly<Record<string, readonly string[]>> = {
  de: stopwords.deu,
  es: stopwords.spa,
  fr: stopwords.fra,
  pt: stopwords.por,
  it: stopwords.ita,
  nl: stopwords.nld,
  sv: stopwords.swe,
  pl: stopwords.pol,
  ru: stopwords.rus,
  tr: stopwords.tur,
}

/** The package's long lists also hold words such as "früher" and "Jahr", so only their short words count as grammar. */
const GRAMMAR_LETTERS_MAX = 6

const ENGLISH_GRAMMAR =
  'a an the and or but of to in on at by for with from as into about than then there here off over under up down out'

const LANGUAGES: readonly (readonly [code: string, language: Language])[] = [
  ['en', languageOf('en', ENGLISH_GRAMMAR.split(' '))],
  ...Object.entries(PACKAGE_LISTS).map(([code, list]) => [code, languageOf(code, list)] as const),
]

function languageOf(code: string, grammar: readonly string[]): Language {
  const chat = (CHAT_WORDS[code] ?? '').split(/\s+/).filter(Boolean)
  const short = grammar.filter(word => word.length <= GRAMMAR_LETTERS_MAX)
  return {
    empty: new Set([...short, ...chat]),
    firstPerson: Object.hasOwn(FIRST_PERSON, code)
      ? FIRST_PERSON[code as keyof typeof FIRST_PERSON]
      : FIRST_PERSON.none,
    capitalNouns: code === 'de',
  }
}

const ENGLISH = LANGUAGES[0]?.[1] ?? languageOf('en', [])

/** The language whose small words a message has most of; English when none leads. */
export function languageOfMessage(message: string): Language {
  const words = wordsIn(message.slice(0, SAMPLE_MAX))
  let best = { language: ENGLISH, hits: 0 }
  for (const [, language] of LANGUAGES) {
    const hits = words.filter(word => language.empty.has(word)).length
    if (hits > best.hits) best = { language, hits }
  }
  return best.language
}

const SAMPLE_MAX = 2000

function wordsIn(text: string): string[] {
  return (text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’.&+#-]*/gu) ?? []).map(word =>
    word
      .toLowerCase()
      .replaceAll('’', "'")
      .replace(/[.'-]+$/, ''),
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
  const words = wordsIn(sentence).flatMap(word => withoutClitics(word, language))
  const telling = new Set(words.filter(word => !language.empty.has(word) && (word.length > 1 || /\d/.test(word))))
  const inside = sentence.replace(/^[^\p{L}\p{N}]*[\p{L}\p{N}'’]+/u, '')
  const name = language.capitalNouns ? /\d|\p{Lu}{2}/u : /\d|(?<![\p{L}'’])(?!I(?![\p{L}]))\p{Lu}/u
  return {
    words: telling.size,
    isFirstPerson: language.firstPerson.test(sentence),
    hasName: name.test(inside) || /^[^\p{L}]*\d/u.test(sentence),
  }
}

function withoutClitics(word: string, { empty }: Language): string[] {
  if (empty.has(word)) return []
  const bare = word.replace(/'(?:s|m|re|ve|ll|d)$/, '').replace(/^(?:[jldnsmtc]|qu)'/, '')
  return bare === '' ? [] : [bare]
}

const WITHOUT_SPACES = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]{4}/u
/** In Chinese and Japanese what tells something is written in these letters. */
const TELLING_LETTERS = /[\p{sc=Han}\p{sc=Katakana}\p{sc=Thai}\p{N}]|[A-Za-z]{2,}/gu
const LETTERS_A_WORD = 2
const LEFT_OUT_MIN = 4

function substanceWithoutSpaces(sentence: string): Substance {
  const rest = sentence.replace(CHAT_PHRASES, ' ')
  const letters = rest.match(TELLING_LETTERS)?.length ?? 0
  return {
    words: Math.floor(letters / LETTERS_A_WORD),
    // Whoever speaks of himself in these languages mostly leaves himself out.
    isFirstPerson: letters >= LEFT_OUT_MIN || /私|僕|俺|わたし|ぼく|うち(?:の|は)|我|ผม|ฉัน/u.test(sentence),
    hasName: /[\p{sc=Katakana}ー]{3}|\d|[A-Z]/u.test(rest),
  }
}
