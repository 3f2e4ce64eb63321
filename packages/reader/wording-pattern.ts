import type { Wordings } from './lexicons/index.ts'

/** Makes one pattern of the wordings of lexicons, in all languages; earlier ones match first. */
export function wordingPattern(...lexicons: readonly Wordings[]): RegExp {
  const sources = lexicons.flatMap(wordings => Object.values(wordings).flat())
  return new RegExp(sources.join('|'), 'iu')
}
