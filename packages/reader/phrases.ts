import { UNSPACED_LETTERS } from './scripts.ts'

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
