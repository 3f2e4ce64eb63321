/** Behind up to three letters a raised number is the power of a unit, as in m², which is written m2 as well. */
const TOLD_APART = /(?:\p{N}|\p{L}{4})$/u
const UNITS = 8

/** A raised number would become a part of the number or word before it: 10⁶ is not 106, and the mark of a note no part of its word. */
export function signOfRaised(before: string): string {
  return TOLD_APART.test(before.slice(-UNITS)) ? '^' : ''
}
