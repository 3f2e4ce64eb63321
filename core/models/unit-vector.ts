/**
 * Scales a vector to length 1 (L2 norm), as a copy; undefined when it has no direction (all zero) or holds a value that
 * is not finite, which no healthy model returns.
 */
export function unitVector(vector: ArrayLike<number>): Float32Array | undefined {
  let squares = 0
  for (let i = 0; i < vector.length; i++) squares += (vector[i] ?? 0) ** 2
  const length = Math.sqrt(squares)
  if (!Number.isFinite(length) || length === 0) return undefined
  const unit = new Float32Array(vector.length)
  for (let i = 0; i < vector.length; i++) unit[i] = (vector[i] ?? 0) / length
  return unit
}
