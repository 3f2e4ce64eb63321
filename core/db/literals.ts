/**
 * These literals are bound as text and cast in the statement, as `${textArray(names)}::text[]`: the driver knows no
 * arrays or vectors of its own.
 */

/** Writes an array of texts, each quoted. */
export function textArray(items: readonly string[]): string {
  return `{${items.map(item => `"${item.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`
}

/** Writes an array of items that need no quoting: UUIDs and numbers. */
export function plainArray(items: readonly (string | number)[]): string {
  return `{${items.join(',')}}`
}

/**
 * Writes a vector of pgvector with seven decimals: within a vector of length 1 the rest is noise, and a shorter text is
 * read faster.
 */
export function vectorLiteral(values: Float32Array): string {
  let literal = '['
  for (let i = 0; i < values.length; i++) {
    if (i > 0) literal += ','
    literal += Math.round((values[i] ?? 0) * 1e7) / 1e7
  }
  return `${literal}]`
}
