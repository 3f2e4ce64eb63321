import { plainArray, type Tx, textArray } from 'mneme/plugin'
import type { Priority } from '../../../memories/contract.ts'
import type { TextTraits } from '../../analysis/traits.ts'
import { lexemePrefix } from '../../analysis/tsvector.ts'
import type { Candidate, EngineQuery, QueryVector } from '../engine.ts'
import { type VectorType, vectorParameter } from './embeddings.ts'
import { statedAt } from './filters.ts'
import { allTerms } from './matches.ts'

/** A row as selected by {@link features}. */
export interface FeatureRow {
  memory_id: string
  cosine: number | null
  length: number
  stated_at: Date
  is_dated: boolean
  happened_at: Date | null
  speaker: string | null
  asking: number
  traits: number
  priority: Priority
  user_id: string
  session_id: string | null
  session_position: number | null
  terms: string
}

/**
 * Selects the inputs of the ranker in a statement that joins `search.document as d` to `head (memory_id, cosine)`. Only the terms'
 * positions leave the row, however long the text is.
 */
export function features(tx: Tx, type: VectorType, query: EngineQuery) {
  const { vector, workspaceId } = query
  const prefix = lexemePrefix(workspaceId)
  const lexemes = textArray(allTerms(query).map(term => prefix + term))
  return tx`
    d.memory_id, d.length, ${statedAt(tx)} as stated_at, coalesce(d.said_at < d.created_at, false) as is_dated, d.happened_at,
    d.speaker, d.asking, d.traits, d.priority, d.user_id, d.session_id, d.session_position,
    ts_filter(setweight(d.words, 'C', ${lexemes}::text[]), '{c}')::text as terms,
    ${vector ? cosine(tx, type, vector) : tx`null::double precision`} as cosine`
}

/** Selects the cosine in `head`, else that of the joined vector. */
export function cosine(tx: Tx, type: VectorType, { values }: Pick<QueryVector, 'values'>) {
  return tx`coalesce(head.cosine, -(e.embedding <#> ${vectorParameter(tx, type, values)}))`
}

/** Writes the array of the known cosines of some memories. */
export function cosineArray(ids: readonly string[], known: ReadonlyMap<string, number>): string {
  return plainArray(ids.map(id => known.get(id) ?? 'null'))
}

/** Joins the vectors of candidates without a cosine in `head`. */
export function vectorJoin(tx: Tx, { vector, workspaceId }: Pick<EngineQuery, 'vector' | 'workspaceId'>) {
  if (!vector) return tx``
  // The case keeps the index from being probed for the others, which a plain condition would not.
  return tx`
    left join search.embedding as e
      on e.workspace_id = ${workspaceId}
      and e.memory_id = case when head.cosine is null then head.memory_id end
      and e.model = ${vector.model}`
}

/** Returns a function that reads the candidates of a workspace. */
export function candidateReader(workspaceId: string): (row: FeatureRow) => Candidate {
  const prefixLength = lexemePrefix(workspaceId).length
  return row => ({
    memoryId: row.memory_id,
    cosine: row.cosine,
    positions: readPositions(row.terms, prefixLength),
    length: row.length,
    statedAt: row.stated_at,
    isDated: row.is_dated,
    happenedAt: row.happened_at,
    traits: { speaker: row.speaker, asking: row.asking, ...readTraitBits(row.traits) },
    priority: row.priority,
    userId: row.user_id,
    sessionId: row.session_id,
    sessionPosition: row.session_position,
  })
}

const QUOTE = 39

const COMMA = 44

const SPACE = 32

const COLON = 58

/**
 * Parses the text form of a tsvector, such as `'lexeme':1A,7 'other':3`, into positions by lexeme, without the first `prefixLength`
 * characters of each. Lexemes are quoted, and quotes and backslashes within them are doubled.
 */
export function readPositions(text: string, prefixLength: number): Map<string, number[]> {
  const positions = new Map<string, number[]>()
  let at = 0
  while (text.charCodeAt(at) === QUOTE) {
    const end = endOfLexeme(text, at + 1)
    const lexeme = unescaped(text.slice(at + 1, end))
    at = end + 1
    const places: number[] = []
    let place = 0
    if (text.charCodeAt(at) === COLON) {
      for (at++; at < text.length; at++) {
        const code = text.charCodeAt(at)
        if (code === SPACE) break
        const digit = code - 48
        if (digit >= 0 && digit <= 9) place = place * 10 + digit
        else if (code === COMMA) {
          places.push(place)
          place = 0
        }
      }
      places.push(place)
    }
    positions.set(lexeme.slice(prefixLength), places)
    at++
  }
  return positions
}

/** Returns the index of the quote that ends a lexeme; a doubled quote is literal. */
function endOfLexeme(text: string, from: number): number {
  let at = text.indexOf("'", from)
  while (at >= 0 && text.charCodeAt(at + 1) === QUOTE) at = text.indexOf("'", at + 2)
  return at < 0 ? text.length : at
}

/** Few lexemes contain a quote or a backslash, and a look for either is cheaper than a replacement. */
function unescaped(lexeme: string): string {
  return lexeme.includes("'") || lexeme.includes('\\') ? lexeme.replace(/(['\\])\1/g, '$1') : lexeme
}

type Flags = Pick<TextTraits, 'endsAsking' | 'tellsTime' | 'tellsQuantity' | 'tellsName'>

/** `search.document.traits` has one bit per trait. A bit never changes its meaning; the migration with the column documents them. */
const BITS: Readonly<Record<keyof Flags, number>> = { endsAsking: 1, tellsTime: 2, tellsQuantity: 4, tellsName: 8 }

export function traitBits(traits: Flags): number {
  let bits = 0
  for (const flag of ['endsAsking', 'tellsTime', 'tellsQuantity', 'tellsName'] as const)
    if (traits[flag]) bits |= BITS[flag]
  return bits
}

function readTraitBits(bits: number): Flags {
  const has = (flag: keyof Flags) => (bits & BITS[flag]) !== 0
  return {
    endsAsking: has('endsAsking'),
    tellsTime: has('tellsTime'),
    tellsQuantity: has('tellsQuantity'),
    tellsName: has('tellsName'),
  }
}
