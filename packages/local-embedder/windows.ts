/** So many windows make the vector of a text. A longer text is sampled evenly from its first window to its last. */
export const WINDOWS_MAX = 16
/** So many windows of a text are passages: 8,000 tokens in one piece, a longer text is sampled evenly. */
export const PASSAGES_MAX = 64

/** A range of tokens, end exclusive. */
export interface TokenRange {
  readonly start: number
  readonly end: number
}

/** A window that is read, and whether the vector of the whole text is made of it. */
export interface WindowRange extends TokenRange {
  readonly ofWhole: boolean
}

/**
 * Cuts a text of WordPiece tokens into windows of at most `tokensMax`, of about equal size, at word starts where a
 * word is no longer than a window. At most {@link WINDOWS_MAX} of them, evenly spread, make the whole; `passages` adds
 * others between them, up to {@link PASSAGES_MAX} in all.
 */
export function windowRanges(tokens: readonly string[], tokensMax: number, passages: boolean): WindowRange[] {
  const all = allRanges(tokens, tokensMax)
  const whole = new Set(evenlySpread(all, WINDOWS_MAX))
  const others = all.filter(range => !whole.has(range))
  const between = new Set(passages ? evenlySpread(others, PASSAGES_MAX - WINDOWS_MAX) : [])
  return all.flatMap(range => {
    const ofWhole = whole.has(range)
    return ofWhole || between.has(range) ? [{ ...range, ofWhole }] : []
  })
}

function allRanges(tokens: readonly string[], tokensMax: number): TokenRange[] {
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
  return ranges
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
