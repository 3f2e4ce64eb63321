/** Computes ln(1 + (N − n + ½) / (n + ½)), the information in a term that occurs in n of N documents. */
export function inverseDocumentFrequency(documentFrequency: number, documents: number): number {
  const n = Math.min(documentFrequency, documents)
  return Math.log(1 + (documents - n + 0.5) / (n + 0.5))
}

/**
 * The weight of a word added by expansion relative to a query word. In the ranking only the best added word counts: a text with many of them
 * is seldom more relevant, and many weak words would outweigh the few that were asked for.
 */
export const RELATED_SHARE = 0.2
