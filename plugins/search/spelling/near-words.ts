import { type Tx, textArray } from 'mneme/plugin'
import { lexemePrefix } from '../engine/postgres/prefix.ts'
import { beginningsOf } from './beginnings.ts'
import { editDistance, errorsForgiven } from './distance.ts'

/** A word of a query that no text holds: as typed and as its stem, both folded. */
export interface UnknownWord {
  readonly surface: string
  readonly stem: string
}

/** Words that may be meant by one, at the most. */
const ALTERNATIVES_MAX = 3
/** Words that are looked at for each beginning, and in all. */
const ROWS_PER_BEGINNING = 1000
const ROWS_MAX = 4000
/** Comes after every letter. */
const LAST_LETTER = '\u{10FFFF}'

/**
 * The words of the workspace that may be meant, nearest first, then the most frequent; empty when none is near.
 * @param isMeant leaves out others
 */
export async function nearWords(
  tx: Tx,
  workspaceId: string,
  word: UnknownWord,
  isMeant: (near: string) => boolean = () => true,
): Promise<string[]> {
  const errors = Math.max(errorsForgiven(word.surface), errorsForgiven(word.stem))
  if (errors === 0) return []
  const prefix = lexemePrefix(workspaceId)
  const beginnings = new Set([...beginningsOf(word.surface), ...beginningsOf(word.stem)])
  const lengths = [word.surface, word.stem].map(text => Array.from(text).length)
  const letters = [...beginnings].map(beginning => prefix + beginning)
  // Both ends are given: under row-level security one that has yet to be computed could not bound the walk through the index.
  const rows = await tx<{ word: string; documents: number }[]>`
    select substr(near.lexeme, ${prefix.length + 1}) as word, max(near.documents) as documents
    from unnest(${textArray(letters)}::text[], ${textArray(letters.map(from => from + LAST_LETTER))}::text[])
      as beginning (letters, last)
    cross join lateral (
      select term_stat.lexeme, term_stat.documents
      from search.term_stat
      where term_stat.workspace_id = ${workspaceId}
        and term_stat.lexeme collate "C" >= beginning.letters
        and term_stat.lexeme collate "C" < beginning.last
      order by term_stat.lexeme collate "C"
      limit ${ROWS_PER_BEGINNING}
    ) as near
    where near.documents > 0
      and char_length(near.lexeme) between ${prefix.length + Math.min(...lengths) - errors}
        and ${prefix.length + Math.max(...lengths) + errors}
    group by near.lexeme
    order by max(near.documents) desc
    limit ${ROWS_MAX}`
  return rows
    .map(row => ({ ...row, distance: distanceOf(word, row.word) }))
    .filter(({ word, distance }) => distance !== undefined && isMeant(word))
    .sort((a, b) => (a.distance ?? 0) - (b.distance ?? 0) || b.documents - a.documents || (a.word < b.word ? -1 : 1))
    .slice(0, ALTERNATIVES_MAX)
    .map(row => row.word)
}

/** The errors between what was typed and a word of a text, whose inflected form and stem both count; undefined for too many. */
function distanceOf({ surface, stem }: UnknownWord, candidate: string): number | undefined {
  const distances = [surface, stem].flatMap(word => {
    const errors = errorsForgiven(word)
    const distance = editDistance(word, candidate, errors)
    return distance <= errors && /^\p{L}[\p{L}\p{M}]*$/u.test(candidate) ? [distance] : []
  })
  return distances.length > 0 ? Math.min(...distances) : undefined
}
