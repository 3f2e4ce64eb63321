import { fold, loadGazetteers } from 'text-reader/facts'

/** The country that a place is, or lies in, in two letters, by the place's name. */
export interface KnownPlace {
  readonly kind: 'COUNTRY' | 'CITY'
  readonly country: string
}

/** Looks up an entity's normal name. */
export type PlaceOf = (normalName: string) => KnownPlace | undefined

/** Loads what is known of places; outside of any transaction, for the first time it takes a moment. */
export async function knownPlaces(): Promise<PlaceOf> {
  const { countries, countryOfCity } = await loadGazetteers()
  return normalName => {
    const name = fold(normalName)
    const own = countries.get(name)
    if (own !== undefined) return { kind: 'COUNTRY', country: own }
    const country = countryOfCity.get(name)
    return country === undefined ? undefined : { kind: 'CITY', country }
  }
}
