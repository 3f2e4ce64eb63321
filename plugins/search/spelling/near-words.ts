import { type Tx, textArray } from 'mneme/plugin'
import { lexemePrefix } from '../analysis/tsvector.ts'
import { pendingDeltas } from '../engine/postgres/fold.ts'

/** A word of a query that no text contains, as typed and as a stem, both folded. */
export interface UnknownWord {
  readonly surface: string
  readonly stem: string
}

/** A word gets at most this many corrections. */
const ALTERNATIVES_MAX = 3
/** So many words of each beginning are read, of any length, and so many of all these are compared, the most frequent. */
const READ_PER_BEGINNING = 5000
const COMPARED_MAX = 10_000
/** Each of these is read, as no index leads to the words of texts that no fold has counted yet. */
const UNFOLDED_WORDS_MAX = 20_000
/** This code point sorts after every letter. */
const LAST_LETTER = '\u{10FFFF}'

/**
 * Finds words of the workspace that may be meant, the nearest first, then the most frequent; empty when none is near.
 * @param isMeant filters the words
 */
export async function nearWords(
  tx: Tx,
  workspaceId: string,
  word: UnknownWord,
  isMeant: (near: string) => boolean = () => true,
): Promise<string[]> {
  const forms = [...new Set([word.surface, word.stem])].filter(form => errorsTolerated(form) > 0)
  if (forms.length === 0) return []
  const candidates = await wordsLike(tx, workspaceId, forms)
  const measure = distanceFrom(word)
  return candidates
    .flatMap(row => {
      const distance = measure(row.word)
      return distance !== undefined && isMeant(row.word) ? [{ ...row, distance }] : []
    })
    .sort((a, b) => a.distance - b.distance || b.documents - a.documents || (a.word < b.word ? -1 : 1))
    .slice(0, ALTERNATIVES_MAX)
    .map(row => row.word)
}

/** Reads the words of the workspace that begin as one of the forms may, and are about as long, the most frequent first. */
async function wordsLike(
  tx: Tx,
  workspaceId: string,
  forms: readonly string[],
): Promise<readonly { readonly word: string; readonly documents: number }[]> {
  const prefix = lexemePrefix(workspaceId)
  const letters = [...new Set(forms.flatMap(beginningsOf))].map(beginning => prefix + beginning)
  const lengths = forms.map(form => ({ letters: Array.from(form).length, errors: errorsTolerated(form) }))
  const shortest = prefix.length + Math.min(...lengths.map(form => form.letters - form.errors))
  const longest = prefix.length + Math.max(...lengths.map(form => form.letters + form.errors))
  // Both bounds are given as parameters: under row-level security a computed one could not bound the index scan.
  return tx<{ word: string; documents: number }[]>`
    with beginning as materialized (
      select *
      from unnest(${textArray(letters)}::text[], ${textArray(letters.map(from => from + LAST_LETTER))}::text[])
        as beginning (letters, last)
    ),
    pending as materialized (
      ${pendingDeltas(tx, workspaceId, UNFOLDED_WORDS_MAX)}
    ),
    folded as (
      select near.lexeme, max(near.documents) as documents
      from beginning
      cross join lateral (
        select term_stat.lexeme, term_stat.documents
        from search.term_stat
        where term_stat.workspace_id = ${workspaceId}
          and term_stat.lexeme collate "C" >= beginning.letters
          and term_stat.lexeme collate "C" < beginning.last
        order by term_stat.lexeme collate "C"
        limit ${READ_PER_BEGINNING}
      ) as near
      where char_length(near.lexeme) between ${shortest} and ${longest}
      group by near.lexeme
    ),
    -- A word of a text that was just stored, or all words while the fold is held up, are known by their deltas alone.
    unfolded as (
      select near.lexeme, sum(pending.sign) as documents
      from pending
      cross join lateral unnest(tsvector_to_array(pending.words)) as near (lexeme)
      where char_length(near.lexeme) between ${shortest} and ${longest}
        -- Beginnings have three letters, or two; a range would compare each word with each of them.
        and (
          substr(near.lexeme, 1, ${prefix.length + 3}) in (select beginning.letters from beginning)
          or substr(near.lexeme, 1, ${prefix.length + 2}) in (select beginning.letters from beginning)
        )
      group by near.lexeme
    )
    select substr(near.lexeme, ${prefix.length + 1}) as word, sum(near.documents)::integer as documents
    from (select * from folded union all select * from unfolded) as near
    group by near.lexeme
    having sum(near.documents) > 0
    order by sum(near.documents) desc
    limit ${COMPARED_MAX}`
}

/** Measures the number of errors between the typed word and a word of a text, by surface or stem; undefined for too many. */
function distanceFrom({ surface, stem }: UnknownWord): (candidate: string) => number | undefined {
  const forms = [...new Set([surface, stem])].map(word => ({ word, errors: errorsTolerated(word) }))
  return candidate => {
    const distances = forms
      .map(({ word, errors }) => ({ distance: editDistance(word, candidate, errors), errors }))
      .filter(({ distance, errors }) => distance <= errors)
      .map(({ distance }) => distance)
    return distances.length > 0 && /^\p{L}[\p{L}\p{M}]*$/u.test(candidate) ? Math.min(...distances) : undefined
  }
}

/**
 * Lists the beginnings of words, mostly of three letters, from which this one may come by a typing error. An error in the first letters leads
 * to another place in the dictionary, so each kind of error has its own beginnings: changed, omitted, added and swapped letters. A beginning
 * with an unknown letter stands for every letter of the word's script.
 *
 * @param word at least four letters
 */
function beginningsOf(word: string): string[] {
  const [first = '', second = '', third = '', fourth = ''] = Array.from(word)
  const beginnings = [
    ...(isComplete(first) ? [] : [first + second]),
    first + second + third,
    first + second + fourth,
    second + first + third,
    first + third + second,
    second + third + fourth,
    first + third + fourth,
    ...alphabetOf(first).flatMap(letter => [
      first + second + letter,
      letter + second + third,
      letter + first + second,
      first + letter + third,
      first + letter + second,
    ]),
  ]
  return [...new Set(beginnings)]
}

/** The letter blocks of alphabetic scripts, after folding; languages of some write further letters, which stand elsewhere. */
const ALPHABETS: readonly { readonly first: string; readonly last: string; readonly isComplete: boolean }[] = [
  { first: 'a', last: 'z', isComplete: true },
  { first: 'α', last: 'ω', isComplete: true },
  { first: 'а', last: 'я', isComplete: false },
  { first: 'ա', last: 'ֆ', isComplete: true },
  { first: 'א', last: 'ת', isComplete: true },
  { first: 'ء', last: 'ي', isComplete: false },
]

function blockOf(letter: string) {
  return ALPHABETS.find(({ first, last }) => letter >= first && letter <= last)
}

/** Where it is not, a beginning of two letters finds what the others miss, as far as its words are not too many. */
function isComplete(letter: string): boolean {
  return blockOf(letter)?.isComplete === true
}

function alphabetOf(letter: string): string[] {
  const block = blockOf(letter)
  if (!block) return []
  const [from = 0, to = -1] = [block.first, block.last].map(edge => edge.codePointAt(0) ?? 0)
  return Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i))
}

/**
 * Counts how many letters must be added, omitted, changed or swapped with their neighbour to turn one word into the other: the
 * Damerau-Levenshtein distance in its restricted form, in which no letter is edited twice (optimal string alignment).
 *
 * @param max the largest distance of interest
 * @returns the distance, or `max + 1` for any greater one
 * @see Damerau, "A technique for computer detection and correction of spelling errors", 1964
 */
export function editDistance(a: string, b: string, max: number): number {
  const [from, to] = withoutSharedEnds(lettersOf(a), lettersOf(b))
  if (Math.abs(from.length - to.length) > max) return max + 1
  const far = max + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, j) => Math.min(j, far))
  let lastBest = 0
  for (let i = 1; i <= from.length; i++) {
    const row = new Array<number>(to.length + 1).fill(far)
    row[0] = Math.min(i, far)
    let best = row[0]
    // Beyond this band more letters were added or omitted than the maximum.
    for (let j = Math.max(1, i - max); j <= Math.min(to.length, i + max); j++) {
      const changed = (last[j - 1] ?? far) + (from[i - 1] === to[j - 1] ? 0 : 1)
      let least = Math.min(changed, (last[j] ?? far) + 1, (row[j - 1] ?? far) + 1, far)
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      if (swapped) least = Math.min(least, (beforeLast[j - 2] ?? far) + 1)
      row[j] = least
      best = Math.min(best, least)
    }
    if (best > max && lastBest > max) return far
    beforeLast = last
    last = row
    lastBest = best
  }
  return Math.min(last[to.length] ?? 0, far)
}

type Letters = string | readonly string[]

/** A string serves as its own list of letters unless some take two of its units. */
function lettersOf(word: string): Letters {
  return /[\ud800-\udfff]/.test(word) ? Array.from(word) : word
}

/** Thousands of words are compared with one that shares most of its beginning with them, and equal ends need no edit. */
function withoutSharedEnds(a: Letters, b: Letters): [Letters, Letters] {
  const least = Math.min(a.length, b.length)
  let start = 0
  while (start < least && a[start] === b[start]) start++
  let end = 0
  while (end < least - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)]
}

/** Shorter words would not be recognisable after one error, or two. */
const ONE_ERROR_FROM = 4
const TWO_ERRORS_FROM = 8

/** Returns the number of errors tolerated in a word of this length. */
export function errorsTolerated(word: string): number {
  const { length } = Array.from(word)
  if (length < ONE_ERROR_FROM) return 0
  return length < TWO_ERRORS_FROM ? 1 : 2
}
