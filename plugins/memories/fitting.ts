/** Counts how many of the first items amount to no more than `most` together: one at least, where there is one. */
export function fitting<T>(items: readonly T[], most: number, amount: (item: T) => number): number {
  let sum = 0
  const beyond = items.findIndex((item, place) => {
    sum += amount(item)
    return place > 0 && sum > most
  })
  return beyond === -1 ? items.length : beyond
}
