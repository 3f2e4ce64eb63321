/** Literals that are bound as text and cast in the statement: the driver knows no arrays or vectors of its own. */

export function textArray(items: readonly string[]): string {
  return `{${items.map(item => `"${item.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`
}

/** For items that need no quoting: UUIDs and numbers. */
export function plainArray(items: readonly (string | number)[]): string {
  return `{${items.join(',')}}`
}

/** Seven significant digits are all a 32-bit float holds. */
export function vectorLiteral(values: Float32Array): string {
  let literal = '['
  for (let i = 0; i < values.length; i++) literal += `${i === 0 ? '' : ','}${(values[i] ?? 0).toPrecision(7)}`
  return `${literal}]`
}
