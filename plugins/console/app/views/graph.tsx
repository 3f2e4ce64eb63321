import { useAddress } from '../address.tsx'
import { Entity } from './graph/entity.tsx'
import { Explorer } from './graph/explorer.tsx'

/** People, organizations, places and things that memories name: all of them, or the one that the address names. */
export function Graph() {
  const { parts } = useAddress()
  return parts[1] === undefined ? <Explorer /> : <Entity key={parts[1]} id={parts[1]} />
}
