import { useAddress } from '../../address.tsx'

/**
 * Tells with which eyes an entity is seen: at which date, with what is over, and how far. Links keep it for the next
 * entity.
 *
 * @returns {{query: Record<string, unknown>, asOf: string, hasFormer: boolean, depth: number,
 * linkOf: (id: string) => string}} `query` is what the API takes
 */
export function useSight() {
  const { query } = useAddress()
  const { as_of: asOf = '', former = '', depth = '' } = query
  const kept = Object.entries({ as_of: asOf, former, depth }).filter(([, value]) => value !== '')
  const words = kept.length === 0 ? '' : `?${new URLSearchParams(kept)}`
  return {
    query: { as_of: endOfDay(asOf), include_history: former === 'yes' || undefined },
    asOf,
    hasFormer: former === 'yes',
    depth: depth === '2' ? 2 : 1,
    linkOf: id => `/graph/${id}${words}`,
  }
}

/** The last instant of a day in the reader's zone; what is no day is left to the API to refuse. */
function endOfDay(day) {
  if (day === '') return undefined
  const instant = new Date(`${day}T23:59:59.999`)
  return Number.isNaN(instant.getTime()) ? day : instant.toISOString()
}

/** Tells whether nothing is shown because no memory had named the entity at the chosen date. */
export function isUnknownAt(asOf, { error }) {
  return asOf !== '' && error?.code === 'ENTITY_NOT_FOUND'
}
