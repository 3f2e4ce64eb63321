import { stemmer as arabic } from '@orama/stemmers/arabic'
import { stemmer as armenian } from '@orama/stemmers/armenian'
import { stemmer as bulgarian } from '@orama/stemmers/bulgarian'
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as greek } from '@orama/stemmers/greek'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as hindi } from '@orama/stemmers/indian'
import { stemmer as indonesian } from '@orama/stemmers/indonesian'
import { stemmer as irish } from '@orama/stemmers/irish'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as lithuanian } from '@orama/stemmers/lithuanian'
import { stemmer as nepali } from '@orama/stemmers/nepali'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as serbian } from '@orama/stemmers/serbian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as tamil } from '@orama/stemmers/tamil'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian'
import { stemEnglish } from './english.ts'

/** Maps a folded, lower-case word to its stem. */
export type Stemmer = (word: string) => string

/**
 * Returns the stemmer for a BCP 47 tag ("en", "pt-BR"); English without one or for an unknown one. The script of a word takes precedence: a
 * Russian word in an English workspace gets the Russian stemmer. A word without a stemmer is its own stem.
 */
export function stemmerFor(language: string | undefined): Stemmer {
  const tag = primaryTag(language)
  const key = STEMMERS.has(tag) ? tag : scriptKey(tag)
  const known = stemmers.get(key)
  if (known !== undefined) return known
  const made = cached(stemByScript(tag))
  stemmers.set(key, made)
  return made
}

/** Languages without a stemmer differ by their script alone, so that made-up tags cannot fill the memory with caches. */
function scriptKey(tag: string): string {
  const script = likelyScript(tag)
  return SCRIPT_LANGUAGE.has(script) ? script : ''
}

/** BCP 47 uses this tag for a text of unknown language. */
export const UNDETERMINED = 'und'

/** Returns the primary subtag in lower case: "pt-BR" gives "pt". Anything that is not a language tag gives "en". */
export function primaryTag(language: string | undefined): string {
  const tag = (language ?? 'en').split(/[-_]/, 1)[0]?.toLowerCase() ?? ''
  return /^[a-z]{2,3}$/.test(tag) ? tag : 'en'
}

const STEMMERS = new Map<string, { script: string; stem: Stemmer }>([
  ['ar', { script: 'Arab', stem: arabic }],
  ['hy', { script: 'Armn', stem: armenian }],
  ['bg', { script: 'Cyrl', stem: bulgarian }],
  ['da', { script: 'Latn', stem: danish }],
  ['de', { script: 'Latn', stem: german }],
  ['el', { script: 'Grek', stem: greek }],
  ['en', { script: 'Latn', stem: stemEnglish }],
  ['es', { script: 'Latn', stem: spanish }],
  ['fi', { script: 'Latn', stem: finnish }],
  ['fr', { script: 'Latn', stem: french }],
  ['ga', { script: 'Latn', stem: irish }],
  ['hi', { script: 'Deva', stem: hindi }],
  ['hu', { script: 'Latn', stem: hungarian }],
  ['id', { script: 'Latn', stem: indonesian }],
  ['it', { script: 'Latn', stem: italian }],
  ['lt', { script: 'Latn', stem: lithuanian }],
  ['nb', { script: 'Latn', stem: norwegian }],
  ['ne', { script: 'Deva', stem: nepali }],
  ['nl', { script: 'Latn', stem: dutch }],
  ['nn', { script: 'Latn', stem: norwegian }],
  ['no', { script: 'Latn', stem: norwegian }],
  ['pt', { script: 'Latn', stem: portuguese }],
  ['ro', { script: 'Latn', stem: romanian }],
  ['ru', { script: 'Cyrl', stem: russian }],
  ['sr', { script: 'Cyrl', stem: serbian }],
  ['sv', { script: 'Latn', stem: swedish }],
  ['ta', { script: 'Taml', stem: tamil }],
  ['tr', { script: 'Latn', stem: turkish }],
  ['uk', { script: 'Cyrl', stem: ukrainian }],
])

/** The tags of all languages with a stemmer. */
export const STEMMED_LANGUAGES: readonly string[] = [...STEMMERS.keys()]

/** The language assumed for a script that the workspace's own language does not use. */
const SCRIPT_LANGUAGE = new Map([
  ['Latn', 'en'],
  ['Cyrl', 'ru'],
  ['Grek', 'el'],
  ['Arab', 'ar'],
  ['Deva', 'hi'],
  ['Armn', 'hy'],
  ['Taml', 'ta'],
])

/** Longer words are identifiers or noise; skipping them also bounds the cost of a stemmer. */
const STEMMED_LENGTH_MAX = 40

const stemmers = new Map<string, Stemmer>()

function stemByScript(tag: string): Stemmer {
  const ownScript = STEMMERS.get(tag)?.script ?? likelyScript(tag)
  const byScript = new Map<string, Stemmer>()
  for (const [script, language] of SCRIPT_LANGUAGE) {
    const stemmer = STEMMERS.get(script === ownScript ? tag : language)
    if (stemmer !== undefined) byScript.set(script, stemmer.stem)
  }
  return word => {
    if (word.length < 2 || word.length > STEMMED_LENGTH_MAX) return word
    return attempt(byScript.get(scriptOf(word.charCodeAt(0))), word)
  }
}

/** Some of the packaged stemmers throw on unexpected letters (the Bulgarian one on "ё"). */
function attempt(stem: Stemmer | undefined, word: string): string {
  try {
    return stem?.(word) || word
  } catch {
    return word
  }
}

function likelyScript(tag: string): string {
  return new Intl.Locale(tag).maximize().script ?? 'Latn'
}

function scriptOf(code: number): string {
  if (code < 0x250) return 'Latn'
  if (code >= 0x370 && code < 0x400) return 'Grek'
  if (code >= 0x400 && code < 0x530) return 'Cyrl'
  if (code >= 0x530 && code < 0x590) return 'Armn'
  if (code >= 0x600 && code < 0x700) return 'Arab'
  if (code >= 0x900 && code < 0x980) return 'Deva'
  return code >= 0xb80 && code < 0xc00 ? 'Taml' : ''
}

/** A few thousand words make up most of any text, and a stemmer costs up to 10 µs per word. */
const CACHED_WORDS_MAX = 20_000

function cached(stem: Stemmer): Stemmer {
  const stems = new Map<string, string>()
  return word => {
    const known = stems.get(word)
    if (known !== undefined) return known
    const made = stem(word)
    if (stems.size >= CACHED_WORDS_MAX) stems.clear()
    stems.set(word, made)
    return made
  }
}

/**
 * Returns the stemmers of a query's words, in the order of the languages, and one for each language that stems a word as it is also spelt:
 * many write the Arabic ة at the end of a word as ه, and the stems of the two differ by what stands before them. Texts have one stem of a word,
 * so only queries ask for both.
 */
export function queryStemmers(languages: readonly string[]): readonly Stemmer[] {
  const own = languages.map(stemmerFor)
  return [
    ...own,
    ...own.map(
      (stem): Stemmer =>
        word =>
          stem(respelt(word)),
    ),
  ]
}

function respelt(word: string): string {
  if (word.endsWith('ه')) return `${word.slice(0, -1)}ة`
  return word.endsWith('ة') ? `${word.slice(0, -1)}ه` : word
}
