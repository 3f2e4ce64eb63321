import type { Collection, Document } from './documents.test-support.ts'
import { checkOperators, FakeFault, parseFilter, valuesOf, wordsIn } from './filter.test-support.ts'

/** The search parameters of `multi_search` that the fake supports. */
export interface FakeSearch {
  readonly collection?: string
  readonly q?: string
  readonly query_by?: string
  readonly filter_by?: string
  readonly sort_by?: string
  readonly vector_query?: string
  readonly include_fields?: string
  readonly per_page?: number
  readonly page?: number
  readonly drop_tokens_threshold?: number
  readonly facet_by?: string
  readonly max_facet_values?: number
}

interface Scored {
  readonly document: Document
  readonly place: number
  readonly textMatch: number
  readonly distance: number
}

const PER_PAGE_MAX = 250

/** @param overlooked documents that the HNSW index does not find */
export function search(collection: Collection, asked: FakeSearch, overlooked: (document: Document) => boolean) {
  const perPage = asked.per_page ?? 10
  const page = asked.page ?? 1
  if (perPage > PER_PAGE_MAX) throw new FakeFault(422, `Only upto ${PER_PAGE_MAX} hits can be fetched per page.`)
  checkOperators(asked.filter_by ?? '')
  const passes = parseFilter(asked.filter_by ?? '', collection.fields)
  const behind = [...collection.documents.values()].flatMap((document, place) =>
    passes(document) ? [{ document, place, textMatch: 0, distance: 0 }] : [],
  )
  const found = asked.vector_query ? nearest(collection, asked.vector_query, behind, overlooked) : worded(asked, behind)
  const sorted = found.toSorted(comparatorOf(asked, collection))
  const hits = sorted.slice((page - 1) * perPage, page * perPage)
  return {
    facet_counts: facetCounts(collection, asked, sorted),
    found: found.length,
    hits: hits.map(hit => ({
      document: fieldsOf(hit.document, asked.include_fields),
      highlight: {},
      highlights: [],
      ...(asked.vector_query ? { vector_distance: hit.distance } : {}),
      ...(asked.q === '*' ? {} : { text_match: hit.textMatch }),
    })),
    out_of: collection.documents.size,
    page,
    request_params: { collection_name: collection.name, first_q: asked.q, per_page: perPage, q: asked.q },
    search_cutoff: false,
    search_time_ms: 0,
  }
}

/** Requires all words; with too few hits all but the last, and so on. */
function worded(
  { q = '*', query_by = '', drop_tokens_threshold = 10 }: FakeSearch,
  behind: readonly Scored[],
): Scored[] {
  if (q === '*') return [...behind]
  const words = wordsIn(q)
  const found = new Map<Scored, number>()
  for (let count = words.length; count > 0; count--) {
    const needed = words.slice(0, count)
    for (const scored of behind) {
      const own = new Set(query_by.split(',').flatMap(name => valuesOf(scored.document, name.trim()).flatMap(wordsIn)))
      if (!found.has(scored) && needed.every(word => own.has(word))) found.set(scored, count)
    }
    if (found.size >= drop_tokens_threshold) break
  }
  return [...found].map(([scored, textMatch]) => ({ ...scored, textMatch }))
}

/** Counts the values of a facet among all found documents. Values of one count come in no order that a client could rely on. */
function facetCounts(
  { fields }: Collection,
  { facet_by, max_facet_values = 10 }: FakeSearch,
  found: readonly Scored[],
) {
  if (facet_by === undefined) return []
  if (!fields.get(facet_by)?.facet) {
    throw new FakeFault(404, `Could not find a facet field named \`${facet_by}\` in the schema.`)
  }
  const counts = new Map<string, number>()
  const values = found.flatMap(({ document }) => valuesOf(document, facet_by)).sort()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  const listed = [...counts].map(([value, count]) => ({ count, highlighted: value, value }))
  return [
    {
      counts: listed.slice(0, max_facet_values),
      field_name: facet_by,
      sampled: false,
      stats: { total_values: counts.size },
    },
  ]
}

/**
 * Compares all filtered documents, or, where the filter passes no fewer than the cutoff, those that the HNSW index does not overlook. The
 * index alone cuts its list to `k`.
 */
function nearest(
  { fields }: Collection,
  text: string,
  behind: readonly Scored[],
  overlooked: (document: Document) => boolean,
): Scored[] {
  const [, name = '', list = '', parameters = ''] = /^\s*(\w+)\s*:\s*\(\s*\[([^\]]*)\]\s*,?(.*)\)\s*$/s.exec(text) ?? []
  const field = fields.get(name)
  const given = new Map(parameters.split(',').map(pair => [pair.split(':')[0]?.trim(), Number(pair.split(':')[1])]))
  if (!field?.num_dim) {
    throw given.has('distance_threshold')
      ? new FakeFault(400, `Malformed vector query string: could not find a field named \`${name}\`.`)
      : new FakeFault(400, `Field \`${name}\` does not have a vector query index.`)
  }
  const threshold = given.get('distance_threshold') ?? 2.01
  if (given.has('distance_threshold') && (threshold < 0 || threshold > 2)) {
    throw new FakeFault(
      400,
      'Malformed vector query string: `distance_threshold` parameter must be a float between 0.0-2.0.',
    )
  }
  const vector = list.split(',').map(Number)
  if (vector.length !== field.num_dim) {
    throw new FakeFault(400, `Query field \`${name}\` must have ${field.num_dim} dimensions.`)
  }
  const exact = behind.length < (given.get('flat_search_cutoff') ?? 0)
  const near = behind
    .filter(({ document }) => exact || !overlooked(document))
    .flatMap(scored => {
      const own = scored.document[name]
      return Array.isArray(own) ? [{ ...scored, distance: cosineDistance(vector, own.map(Number)) }] : []
    })
    .filter(({ distance }) => distance <= threshold)
    .toSorted((a, b) => a.distance - b.distance)
  return exact ? near : near.slice(0, given.get('k') ?? 10)
}

function cosineDistance(a: readonly number[], b: readonly number[]): number {
  let dot = 0
  for (let i = 0; i < a.length; i++) dot += (a[i] ?? 0) * (b[i] ?? 0)
  return 1 - dot / (Math.hypot(...a) * Math.hypot(...b))
}

function comparatorOf({ sort_by, vector_query }: FakeSearch, { fields }: Collection) {
  const rules = (sort_by ?? (vector_query ? '_vector_distance:asc' : '_text_match:desc')).split(',').map(rule => {
    const [name = '', direction] = rule.trim().split(':')
    if (!name.startsWith('_') && !fields.get(name)?.type.startsWith('int')) {
      throw new FakeFault(404, `Could not find a field named \`${name}\` in the schema for sorting.`)
    }
    return { name, sign: direction === 'asc' ? 1 : -1 }
  })
  const value = ({ document, textMatch, distance }: Scored, name: string) => {
    if (name === '_text_match') return textMatch
    return name === '_vector_distance' ? distance : Number(document[name])
  }
  return (a: Scored, b: Scored) => {
    for (const { name, sign } of rules) {
      const order = sign * (value(a, name) - value(b, name))
      if (order !== 0) return order
    }
    return b.place - a.place
  }
}

export function fieldsOf(document: Document, names: string | undefined): Record<string, unknown> {
  if (!names) return document
  const wanted = new Set(names.split(',').map(name => name.trim()))
  return Object.fromEntries(Object.entries(document).filter(([name]) => wanted.has(name)))
}
