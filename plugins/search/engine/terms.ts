import type { Tx } from 'mneme/plugin'
import type { Candidate, CandidateSet, CorpusStatistics, EngineQuery, SearchEngine } from './engine.ts'

/** Computes ln(1 + (N − n + ½) / (n + ½)), the information in a term that occurs in n of N documents. */
export function inverseDocumentFrequency(documentFrequency: number, documents: number): number {
  const n = Math.min(documentFrequency, documents)
  return Math.log(1 + (documents - n + 0.5) / (n + 0.5))
}

/** Returns the weight of each term. A ranking asks for those of the same terms for every candidate. */
export function termWeights(terms: readonly string[], corpus: CorpusStatistics): readonly number[] {
  const known = weightsOf.get(corpus)?.get(terms)
  if (known) return known
  const { documents, documentFrequency } = corpus
  const weights = terms.map(term => inverseDocumentFrequency(documentFrequency.get(term) ?? 0, documents))
  const ofCorpus = weightsOf.get(corpus) ?? new WeakMap()
  weightsOf.set(corpus, ofCorpus.set(terms, weights))
  return weights
}

const weightsOf = new WeakMap<CorpusStatistics, WeakMap<readonly string[], readonly number[]>>()

/**
 * The weight of a word added by expansion relative to a query word. In the ranking only the best added word counts: a text with many of them
 * is seldom more relevant, and many weak words would outweigh the few that were asked for.
 */
export const RELATED_SHARE = 0.2

/** A corrected word keeps this share of the weight of a word. */
const CORRECTION_SHARE = 0.7

/**
 * Lets a term represent further stems, in other languages or as corrections: the wrapped engine receives all of them, and its result shows
 * one term at the positions of all.
 */
export function withVariants<E extends SearchEngine>(engine: E): E {
  const asked = (query: EngineQuery): EngineQuery => ({ ...query, terms: allStems(query) })
  return {
    ...engine,
    ...(engine.propose ? { propose: (query, run) => engine.propose?.(asked(query), run) } : {}),
    // Those of a term and of its further stems are read, and merged with the result of each call.
    statistics: (tx, query) => engine.statistics(tx, asked(query)),
    wordCandidates: (tx, query) => engine.wordCandidates(tx, asked(query)),
    async candidates(tx, query, before) {
      return merged(await engine.candidates(tx, asked(query), before), query)
    },
    async tail(tx, query, head) {
      const further = furtherStems(query)
      const candidates = await engine.tail(tx, asked(query), head)
      return further.size > 0 ? candidates.map(candidate => withMergedPositions(candidate, further)) : candidates
    },
    async features(tx, query, ids) {
      return merged(await engine.features(tx, asked(query), ids), query)
    },
    async sessionNeighbours(tx, query, ids) {
      const further = furtherStems(query)
      const candidates = await engine.sessionNeighbours(tx, asked(query), ids)
      return further.size > 0 ? candidates.map(candidate => withMergedPositions(candidate, further)) : candidates
    },
  }
}

/** Returns the stems by which a memory contains a term, of which the engine's result shows one at the positions of all. */
export function stemsOf(term: string, positions: Candidate['positions'], query: EngineQuery): string[] {
  const further = (furtherStems(query).get(term) ?? []).filter(stem => positions.has(stem))
  const theirs = new Set(further.flatMap(stem => positions.get(stem) ?? []))
  const isItself = (positions.get(term) ?? []).some(position => !theirs.has(position))
  return isItself ? [term, ...further] : further
}

/** Returns the further stems of each term. */
function furtherStems({ variants, corrections }: EngineQuery): Map<string, readonly string[]> {
  const further = new Map(variants)
  for (const [term, words] of corrections ?? []) further.set(term, [...(further.get(term) ?? []), ...words])
  return further
}

function allStems(query: EngineQuery): readonly string[] {
  const further = furtherStems(query)
  return [...new Set(query.terms.flatMap(term => [term, ...(further.get(term) ?? [])]))]
}

function merged<S extends CandidateSet>(set: S, query: EngineQuery): S {
  const further = furtherStems(query)
  if (further.size === 0) return set
  return {
    ...set,
    candidates: set.candidates.map(candidate => withMergedPositions(candidate, further)),
    corpus: mergedFrequencies(set.corpus, further, query),
  }
}

function withMergedPositions<C extends Candidate>(candidate: C, further: ReadonlyMap<string, readonly string[]>): C {
  const { positions } = candidate
  let all: Map<string, readonly number[]> | undefined
  for (const [term, stems] of further) {
    if (!stems.some(stem => positions.has(stem))) continue
    const places = new Set([term, ...stems].flatMap(stem => positions.get(stem) ?? []))
    all ??= new Map(positions)
    all.set(
      term,
      [...places].sort((a, b) => a - b),
    )
  }
  return all ? { ...candidate, positions: all } : candidate
}

/** Texts of different languages contain different stems, so their frequencies add up, capped at the number of documents. */
function mergedFrequencies(
  corpus: CorpusStatistics,
  further: ReadonlyMap<string, readonly string[]>,
  { corrections }: EngineQuery,
): CorpusStatistics {
  const { documents, documentFrequency } = corpus
  const all = new Map(documentFrequency)
  for (const [term, stems] of further) {
    const sum = [term, ...stems].reduce((total, stem) => total + (documentFrequency.get(stem) ?? 0), 0)
    const frequency = Math.min(documents, sum)
    all.set(term, corrections?.has(term) ? asCommonAs(CORRECTION_SHARE, frequency, documents) : frequency)
  }
  return { ...corpus, documentFrequency: all }
}

/** Returns the document frequency of a word whose weight is a share of that of one in `frequency` of `documents`. */
function asCommonAs(share: number, frequency: number, documents: number): number {
  const odds = Math.exp(share * inverseDocumentFrequency(frequency, documents)) - 1
  return Math.min(documents, Math.max(frequency, (documents + 0.5 - 0.5 * odds) / (1 + odds)))
}

/** Adds the statistics for its words to a query, unless it has them. */
export async function withStatistics(
  tx: Tx,
  engine: Pick<SearchEngine, 'statistics'>,
  query: EngineQuery,
): Promise<EngineQuery & { readonly statistics: CorpusStatistics }> {
  return { ...query, statistics: await engine.statistics(tx, query) }
}
