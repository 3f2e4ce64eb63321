import type { Candidate, CandidateSet, CorpusStatistics, EngineQuery, SearchEngine } from './engine.ts'

type Variants = NonNullable<EngineQuery['variants']>

/**
 * Lets a term stand for further stems: the engine below is asked for all of them, and whoever looks at its answer sees one
 * term, at every place of any of them.
 */
export function withVariants<E extends SearchEngine>(engine: E): E {
  const asked = (query: EngineQuery): EngineQuery => ({ ...query, terms: allStems(query) })
  return {
    ...engine,
    async candidates(tx, query) {
      const set = await engine.candidates(tx, asked(query))
      return query.variants ? merged(set, query.variants) : set
    },
    async tail(tx, query, head) {
      const candidates = await engine.tail(tx, asked(query), head)
      const { variants } = query
      return variants
        ? candidates.map(candidate => ({ ...candidate, ...mergedPositions(candidate, variants) }))
        : candidates
    },
    async features(tx, query, ids) {
      const set = await engine.features(tx, asked(query), ids)
      return query.variants ? merged(set, query.variants) : set
    },
  }
}

function allStems({ terms, variants }: EngineQuery): readonly string[] {
  if (!variants) return terms
  return [...new Set(terms.flatMap(term => [term, ...(variants.get(term) ?? [])]))]
}

function merged<S extends CandidateSet>(set: S, variants: Variants): S {
  return {
    ...set,
    candidates: set.candidates.map(candidate => ({ ...candidate, ...mergedPositions(candidate, variants) })),
    corpus: mergedFrequencies(set.corpus, variants),
  }
}

function mergedPositions({ positions }: Candidate, variants: Variants): Pick<Candidate, 'positions'> {
  const all = new Map(positions)
  for (const [term, further] of variants) {
    const places = [term, ...further].flatMap(stem => positions.get(stem) ?? [])
    if (places.length > 0)
      all.set(
        term,
        [...new Set(places)].sort((a, b) => a - b),
      )
  }
  return { positions: all }
}

/** Texts of different languages hold different stems, so their numbers add up; none has more than all texts. */
function mergedFrequencies(corpus: CorpusStatistics, variants: Variants): CorpusStatistics {
  const all = new Map(corpus.documentFrequency)
  for (const [term, further] of variants) {
    const sum = [term, ...further].reduce((total, stem) => total + (corpus.documentFrequency.get(stem) ?? 0), 0)
    all.set(term, Math.min(corpus.documents, sum))
  }
  return { ...corpus, documentFrequency: all }
}
