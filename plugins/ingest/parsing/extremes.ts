/** The highest of any number of values. Spread as arguments, more than some ten thousand would be too many for a call. */
export function highest(values: Iterable<number>, least = Number.NEGATIVE_INFINITY): number {
  let found = least
  for (const value of values) if (value > found) found = value
  return found
}

/** As {@link highest}. */
export function lowest(values: Iterable<number>): number {
  let found = Number.POSITIVE_INFINITY
  for (const value of values) if (value < found) found = value
  return found
}
