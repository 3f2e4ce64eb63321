/** Behind up to three letters a raised number is the power of a unit, as in m², which is written m2 as well. */
const TOLD_APART = /(?:\p{N}|\p{L}{4})$/u
const UNITS = 8
const LOWERED_BEHIND = /\p{N}$/u
const NUMBER = /^\s*[+\-−–]?\p{N}/u

/** A raised number would become a part of the number or word before it: 10⁶ is not 106, and the mark of a note no part of its word. */
export function signOfRaised(before: string): string {
  return TOLD_APART.test(before.slice(-UNITS)) ? '^' : ''
}

/**
 * A number that is raised or lowered would become a part of the number or word before it: 10⁶ is not 106. Behind letters a lowered one stays
 * as it is, as in CO₂.
 * @param name of the element that raises or lowers
 */
export function signBefore(name: string, before: string, within: string): string {
  if (!NUMBER.test(within)) return ''
  if (name.toUpperCase() === 'SUP') return signOfRaised(before)
  return name.toUpperCase() === 'SUB' && LOWERED_BEHIND.test(before.slice(-2)) ? '_' : ''
}
