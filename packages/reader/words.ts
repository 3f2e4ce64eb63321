import type { Wordings } from './lexicons/index.ts'

/** A piece of a text between two boundaries of words; the pieces of a text together are the text. */
export interface WordSegment {
  readonly segment: string
  /** False for spaces and signs. */
  readonly isWord: boolean
}

/** Splits a text of any language at the boundaries of its words, with a dictionary where the script has no spaces. */
export function* wordSegments(text: string): Generator<WordSegment> {
  for (const { segment, isWordLike } of segmenter.segment(text)) yield { segment, isWord: isWordLike === true }
}

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** Letters of the scripts that put no spaces between words, to stand within a class of a pattern with the flag `u` or `v`. */
export const UNSPACED_LETTERS = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map(script => `\\p{sc=${script}}`)
  .join('')

/** A list of words, or lists by language. */
export type Lexicon = readonly string[] | Readonly<Record<string, readonly string[]>>

/** Returns the words of lexicons, in all their languages. */
export function wordsOf(...lexicons: readonly Lexicon[]): string[] {
  return lexicons.flatMap(lexicon => (isList(lexicon) ? lexicon : Object.values(lexicon).flat()))
}

/** Makes one set of lexicons, in all their languages. */
export function wordSet(...lexicons: readonly Lexicon[]): ReadonlySet<string> {
  return new Set(wordsOf(...lexicons))
}

function isList(lexicon: Lexicon): lexicon is readonly string[] {
  return Array.isArray(lexicon)
}

/** Makes one pattern of the wordings of lexicons, in all languages; earlier ones match first. */
export function wordingPattern(...lexicons: readonly Wordings[]): RegExp {
  const sources = lexicons.flatMap(wordings => Object.values(wordings).flat())
  return new RegExp(sources.join('|'), 'iu')
}

/**
 * Builds a pattern that matches wordings of a lexicon in any case, between words. In a wording a space stands for any space, a slash divides
 * the alternatives of a word, and a tilde stands for any ending, or alone for any word. Wordings in a script without spaces match within a
 * run of letters.
 * @param atStart matches them at the beginning of a text alone
 */
export function phrasePattern(wordings: readonly string[], { atStart = false } = {}): RegExp {
  // The longer one of two wordings that begin alike is to be found.
  const alternatives = wordings.toSorted((a, b) => b.length - a.length).map(sourceOf)
  if (alternatives.length === 0) return /(?!)/u
  return new RegExp(`${atStart ? '^' : ''}(?:${alternatives.join('|')})`, 'iu')
}

function sourceOf(wording: string): string {
  const words = wording.split(' ').map(word => {
    const forms = word.split('/').map(form =>
      form
        .replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
        .replace(/(?<=^|')~/, '\\p{L}+')
        .replace('~', '\\p{L}*'),
    )
    return forms.length > 1 ? `(?:${forms.join('|')})` : forms.join('')
  })
  const source = words.join('\\s+').replaceAll("'", "['’]")
  if (UNSPACED.test(wording)) return source
  // An elided word ("qu'") goes right before another.
  return `(?<!\\p{L})${source}${wording.endsWith("'") ? '' : '(?![\\p{L}\\p{M}])'}`
}

const UNSPACED = new RegExp(`[${UNSPACED_LETTERS}]`, 'u')
