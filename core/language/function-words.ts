import * as stopwords from 'stopword'
import { foldWord, normalizeText } from './normalize.ts'
import { stemEnglish } from './stemming/english.ts'
import { primaryTag, stemmerFor } from './stemming/stemmers.ts'

/**
 * Recognises the stem of a function word, which carries grammar but no content (language as a BCP 47 tag; English by default and without a
 * list for it). In questions function words outnumber content words: with a tenth to a third of their BM25 weight, recall@10 on
 * chats rises from 0.58 to 0.63.
 */
export function isFunctionWord(stem: string, language = 'en'): boolean {
  return functionStems(primaryTag(language)).has(stem)
}

/** Returns the function words of a language (a primary tag) as they are written; none where there is no list. */
export function functionWords(language: string): readonly string[] {
  return language === 'en' ? ENGLISH : (LISTS[language] ?? [])
}

const WORDS = `
a an the this that these those there here
i me my mine we us our ours you your yours he him his she her hers it its they them their theirs
who whom whose which what when where why how
am is are was were be been being do does did doing done have has had having
can could will would shall should may might must
of to in on at by for with from as into about than then and or but if so because while
not no nor only also just too very
don't doesn't didn't isn't aren't wasn't weren't won't can't couldn't wouldn't shouldn't haven't hasn't hadn't
`

const ENGLISH = WORDS.trim().split(/\s+/)
const FUNCTION_STEMS = new Set(ENGLISH.flatMap(word => [word, stemEnglish(word)]))

/** The word lists of the package by language; English has its own list above. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  ar: stopwords.ara,
  bg: stopwords.bul,
  ca: stopwords.cat,
  cs: stopwords.ces,
  da: stopwords.dan,
  de: stopwords.deu,
  el: stopwords.ell,
  // The package's list lacks the forms of ser, estar and haber, and question words.
  es: [
    ...stopwords.spa,
    ...'es son era eran fue fueron ser está están estaba estar ha han hay cuál cuándo dónde quién cómo'.split(' '),
  ],
  fa: stopwords.fas,
  fi: stopwords.fin,
  fr: [...stopwords.fra, ..."j' l' m' n' s' t' d' c' qu'".split(' ')],
  he: stopwords.heb,
  hi: stopwords.hin,
  hu: stopwords.hun,
  id: stopwords.ind,
  it: stopwords.ita,
  nl: stopwords.nld,
  nb: stopwords.nob,
  pl: stopwords.pol,
  pt: stopwords.por,
  ro: stopwords.ron,
  ru: stopwords.rus,
  sv: stopwords.swe,
  tr: stopwords.tur,
  uk: stopwords.ukr,
}

const stemsByLanguage = new Map<string, ReadonlySet<string>>([['en', FUNCTION_STEMS]])

function functionStems(language: string): ReadonlySet<string> {
  const known = stemsByLanguage.get(language)
  if (known) return known
  const words = LISTS[language]
  if (!words) return FUNCTION_STEMS
  const stem = stemmerFor(language)
  const stems = new Set(words.map(word => foldWord(normalizeText(word))).flatMap(word => [word, stem(word)]))
  stemsByLanguage.set(language, stems)
  return stems
}
