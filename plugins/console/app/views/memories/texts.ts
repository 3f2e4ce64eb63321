/** The beginning of a text, never half a character, with a sign that more follows. */
export const shortened = (text: string, length = 300): string =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')} …`

/** The part of a text that lies between two places, with signs that there is more of it. */
export function partOf(text: string, { start, end }: { start: number; end: number }, length = 400): string {
  const last = Math.min(end, start + length)
  const part = text.slice(start, last)
  const whole = part.replace(/^[\uDC00-\uDFFF]/, '').replace(/[\uD800-\uDBFF]$/, '')
  return `${start > 0 ? '… ' : ''}${whole}${last < text.length ? ' …' : ''}`
}

/** A number with at most three digits after the point. */
export const figure = (number: number) => number.toLocaleString('en', { maximumFractionDigits: 3 })

/** A number with the noun that it counts: `1 memory`, `1,200 memories`. */
export const counted = (number: number, one: string, many: string) =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`
