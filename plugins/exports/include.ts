import {
  type ErrorDetail,
  hasFeature,
  type RouteCheck,
  type Static,
  type Tenant,
  validationError,
  type Wiring,
} from 'mneme/plugin'
import { type ArchiveSection, archiveSections } from '../memories/contract.ts'
import { HISTORY, MEMORIES } from './job.ts'
import type { exportBody } from './schemas.ts'
import type { ExportsScope } from './scope.ts'

type Asked = Pick<Static<typeof exportBody>, 'format' | 'include' | 'categories'>

/** Words that no plan makes right. Those of sections that a workspace's plan lacks are refused once the workspace is known. */
export const includeChecks: readonly RouteCheck<ExportsScope, unknown, Asked>[] = [
  {
    fields: ['format', 'include', 'categories'],
    faults: ({ body, scope }) =>
      includeFaults(
        allSections(scope.wiring).map(({ value }) => value),
        body,
      ),
  },
]

/**
 * Returns the words of what is included, in their order. History stands with its memories, and an export of nothing has the memories
 * alone.
 * @throws VALIDATION_ERROR for a section that the workspace's plan lacks, and where nothing is left without it
 */
export function readInclude(wiring: Wiring, { workspace }: Tenant, body: Asked): string[] {
  const sections = allSections(wiring)
    .filter(({ feature }) => hasFeature(workspace, feature))
    .map(({ value }) => value)
  const faults = includeFaults(sections, body)
  if (faults.length > 0) throw validationError(faults)
  return wordsOf(sections, body)
}

function allSections(wiring: Wiring) {
  return wiring.contributions(archiveSections)
}

/** Finds words that name no section, or one that would tell of other categories, and that nothing named has a place in the format. */
function includeFaults(sections: readonly ArchiveSection[], body: Asked): ErrorDetail[] {
  const { format, include = [] } = body
  const known = knownWords(sections, body)
  const faults = include.flatMap((word, n) => {
    if (known.includes(word)) return []
    const isOfAll = sections.some(({ name }) => name === word)
    const message = isOfAll ? `${word} cannot be narrowed down to categories` : `must be one of ${known.join(', ')}`
    return [{ path: `include.${n}`, message }]
  })
  if (faults.length > 0 || wordsOf(sections, body).length > 0) return faults
  const places = placesIn(format, known, sections)
  return [{ path: 'include', message: `must name what ${format} has: ${places.join(', ')}` }]
}

function wordsOf(sections: readonly ArchiveSection[], body: Asked): string[] {
  const { format, include } = body
  const places = placesIn(format, knownWords(sections, body), sections)
  if (include === undefined) return places
  const hasMemories = include.length === 0 || include.includes(MEMORIES) || include.includes(HISTORY)
  return places.filter(word => (word === MEMORIES ? hasMemories : include.includes(word)))
}

function knownWords(sections: readonly ArchiveSection[], { categories }: Asked): string[] {
  const fitting = categories ? sections.filter(({ heedsCategories }) => heedsCategories) : sections
  return [MEMORIES, HISTORY, ...fitting.map(({ name }) => name)]
}

/** A CSV has no place for what else there is, which would only be read and counted, and people have no use for what is for imports. */
function placesIn(format: string, words: readonly string[], sections: readonly ArchiveSection[]): string[] {
  if (format === 'CSV') return [MEMORIES]
  if (format !== 'MARKDOWN') return [...words]
  return words.filter(word => !sections.some(({ name, isForImports }) => name === word && isForImports))
}
