/**
 * Divides a list, in its order, into parts of at most `max` items, or of items that together weigh at most `max`. An item that
 * weighs more is a part of its own.
 * @param weightOf says what an item counts for; each counts as one without it
 */
export function inParts<T>(items: readonly T[], max: number, weightOf: (item: T) => number = () => 1): T[][] {
  const parts: T[][] = []
  let sum = 0
  for (const item of items) {
    const weight = weightOf(item)
    sum += weight
    if (parts.length === 0 || sum > max) {
      parts.push([])
      sum = weight
    }
    parts.at(-1)?.push(item)
  }
  return parts
}

/** Reads what is written with commas between. */
export function splitList(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)
}
