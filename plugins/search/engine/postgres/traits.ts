import type { TextTraits } from '../../analysis/traits.ts'

type Flags = Pick<TextTraits, 'endsAsking' | 'tellsTime' | 'tellsQuantity' | 'tellsName'>

/** `search.document.traits` has one bit per trait. A bit never changes its meaning; the migration with the column documents them. */
const BITS: Readonly<Record<keyof Flags, number>> = { endsAsking: 1, tellsTime: 2, tellsQuantity: 4, tellsName: 8 }

export function traitBits(traits: Flags): number {
  let bits = 0
  for (const flag of ['endsAsking', 'tellsTime', 'tellsQuantity', 'tellsName'] as const)
    if (traits[flag]) bits |= BITS[flag]
  return bits
}

export function readTraitBits(bits: number): Flags {
  const has = (flag: keyof Flags) => (bits & BITS[flag]) !== 0
  return {
    endsAsking: has('endsAsking'),
    tellsTime: has('tellsTime'),
    tellsQuantity: has('tellsQuantity'),
    tellsName: has('tellsName'),
  }
}
