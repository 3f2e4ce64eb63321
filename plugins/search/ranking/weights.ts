/** The evidence of a memory alone, in parts that are weighted and added. */
export interface Evidence {
  /**
   * BM25 in standard deviations from the mean of the candidates. Keyword mode, where every candidate contains all terms, divides it by the
   * score of a text that contains each term once.
   */
  readonly words: number
  /** The share of the query's terms by weight, squared because a single common term may be an accident and all of them are not. */
  readonly coverage: number
  readonly proximity: number
  /** The cosine of the text, or of its best passage, above that of unrelated texts; 0 without a vector. */
  readonly meaning: number
  /** The strength of the connection to what the query names, from 0 to 1. */
  readonly entities: number
  /** Another plugin is so sure that the memory tells what the query asks, from 0 to 1. */
  readonly facts: number
}

/** The weights of a memory's own evidence, and of what the memories around it in its session add. */
export interface Weights extends Evidence {
  /** Multiplies the shares that neighbours give by their distance. */
  readonly neighbours: number
  /** The best memory of a session gives this share of its evidence to the others. */
  readonly session: number
}

/** The weights were measured on texts of seven kinds (see the README). */
export const WEIGHTS: Weights = {
  words: 0.08,
  coverage: 0.4,
  proximity: 0.4,
  meaning: 1,
  entities: 0.3,
  facts: 0.7,
  neighbours: 0.9,
  session: 0.2,
}

/** In keyword mode every result contains every term, so words are measured against a text that contains each once. */
export const KEYWORD_WEIGHTS: Evidence = {
  words: 1.5,
  coverage: 0,
  proximity: 0.4,
  meaning: 0,
  entities: 0,
  facts: 0,
}
