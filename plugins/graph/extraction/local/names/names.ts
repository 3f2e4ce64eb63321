import { readFile } from 'node:fs/promises'

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

/** Reads the generated file beside this one. */
export async function readNameLists(): Promise<NameLists> {
  return JSON.parse(await readFile(new URL('names.json', import.meta.url), 'utf8'))
}
