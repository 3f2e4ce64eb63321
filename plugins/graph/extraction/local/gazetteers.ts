import { fold } from './fold.ts'
import { ORGANIZATIONS, TECHNOLOGIES } from './names/known-names.ts'
import { readNameLists } from './names/names.ts'

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
  const technologies = new Set(TECHNOLOGIES.map(fold))
  const brands = new Set(
    [...lists.brands.split('\n'), ...ORGANIZATIONS.map(fold)].filter(name => !technologies.has(name)),
  )
  const organizations = new Set(ORGANIZATIONS.map(fold))
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
