import { readFile } from 'node:fs/promises'
import { unicodeForm } from '../index.ts'
import known from './names/known-names.json' with { type: 'json' }

/** Widely known names, folded by {@link fold}; `names/README.md` says where they come from. */
export interface Gazetteers {
  readonly firstNames: ReadonlySet<string>
  /** With the number of people who live there; countries and regions count as large. */
  readonly places: ReadonlyMap<string, number>
  /** Countries in two letters, by the names of cities and by their own. */
  readonly countryOfCity: ReadonlyMap<string, string>
  readonly countries: ReadonlyMap<string, string>
  /** Products, languages and tools. */
  readonly technologies: ReadonlySet<string>
  /** Companies, and brands that are both a company and a product. */
  readonly brands: ReadonlySet<string>
  /** Words in the longest name of these lists. */
  readonly wordsMax: number
}

let loading: Promise<Gazetteers> | undefined

/** Reads the lists once in a process, at the first text; after a failure again at the next. */
export function loadGazetteers(): Promise<Gazetteers> {
  loading ??= load().catch(error => {
    loading = undefined
    throw error
  })
  return loading
}

async function load(): Promise<Gazetteers> {
  const lists = await readNameLists()
  const technologies = new Set(known.TECHNOLOGIES.map(fold))
  const brands = new Set(
    [...lists.brands.split('\n'), ...known.ORGANIZATIONS.map(fold)].filter(name => !technologies.has(name)),
  )
  const organizations = new Set(known.ORGANIZATIONS.map(fold))
  return {
    firstNames: new Set(lists.firstNames.split('\n').filter(name => !organizations.has(name))),
    places: new Map(pairsIn(lists.places).map(([name, population]) => [name, Number(population)])),
    countryOfCity: new Map(pairsIn(lists.cities)),
    countries: new Map(pairsIn(lists.countries)),
    technologies,
    brands,
    wordsMax: 4,
  }
}

function pairsIn(lines: string): [string, string][] {
  return lines.split('\n').map(line => {
    const tab = line.indexOf('\t')
    return [line.slice(0, tab), line.slice(tab + 1)]
  })
}

/** Lists of names as the generator wrote them: folded names, one a line. */
export interface NameLists {
  readonly firstNames: string
  /** Each with a tab and the number of people who live there; countries and regions count as large. */
  readonly places: string
  /** Cities, each with a tab and its country in two letters (ISO 3166), that of the largest city of the name. */
  readonly cities: string
  /** Countries, each with a tab and its two letters. */
  readonly countries: string
  readonly brands: string
}

/** Reads the generated file. */
export async function readNameLists(): Promise<NameLists> {
  return JSON.parse(await readFile(new URL('names/names.json', import.meta.url), 'utf8'))
}

/** Lower case without accents, so that "Izmir" is İzmir and "Zurich" Zürich. */
export function fold(name: string): string {
  if (/^[\x20-\x7e]*$/.test(name)) return name.toLowerCase()
  return unicodeForm(name, 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ıłøđð]/g, letter => FOLDED[letter] ?? letter)
    .replaceAll('ß', 'ss')
    .replaceAll('’', "'")
}

const FOLDED: Readonly<Record<string, string>> = { ı: 'i', ł: 'l', ø: 'o', đ: 'd', ð: 'd' }

/** Lower-case words that can only be a tool, for texts written without capitals. */
export const LOWER_CASE_TECHNOLOGIES: ReadonlySet<string> = new Set(known.LOWER_CASE_TECHNOLOGIES)
