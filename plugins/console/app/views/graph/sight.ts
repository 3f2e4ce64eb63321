import { useMemo } from 'preact/hooks'
import { useAddress } from '../../address.tsx'
import type { Filters } from './model.ts'

/** The reader's choices stand in the address, so that a link shows the same. */
export interface Sight {
  readonly filters: Filters
  readonly isTogether: boolean
  readonly isList: boolean
  set(changes: Record<string, unknown>): void
}

export function useSight(): Sight {
  const { query, set } = useAddress()
  const { types = '', relations = '', weight = '0', former = '', as_of = '', together = '', view = '' } = query
  const filters = useMemo(
    () => ({
      hiddenTypes: new Set(types.split(',').filter(Boolean)),
      relations: new Set(relations.split(',').filter(Boolean)),
      weightMin: Math.min(1, Math.max(0, Number(weight) || 0)),
      hasFormer: former !== 'no',
      at: instantOf(as_of),
    }),
    [types, relations, weight, former, as_of],
  )
  return { filters, isTogether: together === 'yes', isList: view === 'list', set }
}

/** The last instant of a day in the reader's zone; undefined for what is no day. */
export function instantOf(day: string): number | undefined {
  const instant = Date.parse(`${day}T23:59:59.999`)
  return Number.isNaN(instant) ? undefined : instant
}

/** The day of an instant in the reader's zone, as fields for a day have it. */
export const dayOf = (at: number): string =>
  new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 10)

/** Adds a word to a list in the address, or takes it out. */
export function toggled(list: ReadonlySet<string>, word: string): string {
  const others = [...list].filter(each => each !== word)
  return (list.has(word) ? others : [...others, word]).join(',')
}
