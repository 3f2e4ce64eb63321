interface Part {
  readonly text: string
  readonly x: number
}

const RIGHT_TO_LEFT = /[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u
const LETTER = /\p{L}/gu

/**
 * The parts of a line as they are read. Each part is in reading order already (pdf.js sees to that); writers place the parts of a
 * right-to-left line in either direction, so their places decide: the line is read from the right, and what runs to the right within it,
 * as numbers and foreign names do, from the left (Unicode Bidirectional Algorithm, rule L2, for whole parts).
 */
export function inReadingDirection<P extends Part>(parts: readonly P[]): readonly P[] {
  if (!parts.some(({ text }) => RIGHT_TO_LEFT.test(text))) return parts
  const visual = parts.toSorted((a, b) => a.x - b.x)
  const isLeftward = runsToTheLeft(parts)
  const ordered = isLeftward ? visual.toReversed() : visual
  const directions = directionsOf(ordered, isLeftward)
  const read: P[] = []
  for (let n = 0; n < ordered.length; ) {
    let end = n + 1
    while (end < ordered.length && directions[end] === directions[n]) end++
    const stretch = ordered.slice(n, end)
    read.push(...(directions[n] === isLeftward ? stretch : stretch.toReversed()))
    n = end
  }
  return read
}

/** Tells by the most letters which way a line runs: a name in other letters at its beginning says nothing. */
export function runsToTheLeft(parts: readonly Part[]): boolean {
  const letters = parts.flatMap(({ text }) => text.match(LETTER) ?? [])
  return letters.filter(letter => RIGHT_TO_LEFT.test(letter)).length * 2 >= letters.length
}

/** Tells whether each part runs to the left. Spaces and marks run with the line, but for those between two parts that both run otherwise. */
function directionsOf(parts: readonly Part[], isLeftward: boolean): boolean[] {
  const own = parts.map(({ text }) => {
    if (RIGHT_TO_LEFT.test(text)) return true
    return /[\p{L}\p{N}]/u.test(text) ? false : undefined
  })
  return own.map((direction, n) => {
    if (direction !== undefined) return direction
    const before = own.slice(0, n).findLast(one => one !== undefined)
    const after = own.slice(n + 1).find(one => one !== undefined)
    return before !== undefined && before === after ? before : isLeftward
  })
}
