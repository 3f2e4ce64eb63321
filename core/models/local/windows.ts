/** So many windows of one text are read. A longer text is sampled evenly from its first window to its last. */
export const WINDOWS_MAX = 16

/** A range of tokens, end exclusive. */
export interface TokenRange {
  readonly start: number
  readonly end: number
}

/**
 * Cuts a text of WordPiece tokens into windows of at most `tokensMax`, of about equal size, at word starts where a
 * word is no longer than a window; then keeps at most {@link WINDOWS_MAX} of them, evenly spread.
 */
export function windowRanges(tokens: readonly string[], tokensMax: number): TokenRange[] {
  const ranges: TokenRange[] = []
  let start = 0
  while (start < tokens.length) {
    const rest = tokens.length - start
    // The windows take equal shares of the rest, so that the last one is not a stump with the weight of a window.
    const share = Math.ceil(rest / Math.ceil(rest / tokensMax))
    const end = wordStartBefore(tokens, start, start + share)
    ranges.push({ start, end })
    start = end
  }
  return evenlySpread(ranges, WINDOWS_MAX)
}

/**
 * Finds the last word start in (start, end], or `end` when one word fills the range. `##` marks the inside of a word.
 */
function wordStartBefore(tokens: readonly string[], start: number, end: number): number {
  for (let at = end; at > start; at--) {
    if (at === tokens.length || !tokens[at]?.startsWith('##')) return at
  }
  return end
}

function evenlySpread<T>(items: readonly T[], count: number): T[] {
  if (items.length <= count) return [...items]
  const step = (items.length - 1) / (count - 1)
  return Array.from({ length: count }, (_, index) => items[Math.round(index * step)]).filter(item => item !== undefined)
}
