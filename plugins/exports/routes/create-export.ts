import { accepted, hasFeature, type Static, type Tenant, validationError, type Wiring } from 'mneme/plugin'
import { v7 } from 'uuid'
import { type ArchiveSection, archiveSections } from '../../memories/contract.ts'
import { newExportExample } from '../examples.ts'
import { HISTORY, MEMORIES, writeJob } from '../job.ts'
import { EXPORT_BYTES_KEPT_MAX, EXPORT_GB_KEPT_MAX, EXPORTS_KEPT_MAX, tooManyExports } from '../limits.ts'
import { insertExport, keptBytes, nextExpiry } from '../queries/exports.ts'
import { route, WRITE } from '../route.ts'
import { exportBody, exportResponse } from '../schemas.ts'
import { toExport } from '../serializers.ts'

export const createExportRoute = route({
  method: 'POST',
  path: '/v1/exports',
  operationId: 'createExport',
  access: WRITE,
  beyondQuota: true,
  summary: 'Export a workspace',
  description: `Writes a file in the background, which can be downloaded for 7 days. A memory that is deleted meanwhile is removed from the file; while the file is rewritten, downloads respond with 409 \`EXPORT_NOT_READY\`. A workspace keeps at most ${EXPORTS_KEPT_MAX}, and makes no more while they, and what is written of others, have ${EXPORT_GB_KEPT_MAX} GB together: \`RATE_LIMITED\` until one is deleted or expires.`,
  body: exportBody,
  responses: { 202: exportResponse },
  examples: { body: { format: 'JSONL' }, response: newExportExample },
  async handle({ body, scope, tenant }) {
    const { workspaceId } = tenant
    const include = readInclude(sectionsFor(scope.wiring, tenant), body)
    const categories = body.categories ? [...new Set(body.categories.map(category => category.trim()))] : null
    const given = { id: v7(), format: body.format, userId: body.user_id ?? null, categories, include }
    const made = await tenant.transaction(async tx => {
      const hasRoom = (await keptBytes(tx, workspaceId, given.id)) < EXPORT_BYTES_KEPT_MAX
      const row = hasRoom && (await insertExport(tx, workspaceId, given, EXPORTS_KEPT_MAX))
      if (!row) throw tooManyExports(await nextExpiry(tx, workspaceId))
      await scope.jobs.enqueue(tx, [writeJob(workspaceId, row.id)])
      return row
    })
    return accepted(toExport(made))
  },
})

/** Lists the sections of plugins that the workspace's plan has. */
function sectionsFor(wiring: Wiring, { workspace }: Tenant): ArchiveSection[] {
  const contributions = wiring.contributions(archiveSections).filter(({ feature }) => hasFeature(workspace, feature))
  return contributions.map(({ value }) => value)
}

/**
 * The words of what is included, in their order. History stands with its memories, and an export of nothing has the memories alone.
 * @throws VALIDATION_ERROR for a word that names no section, or one that would tell of other categories, and where nothing that is named has a
 * place in the format
 */
function readInclude(
  sections: readonly ArchiveSection[],
  { format, include, categories }: Static<typeof exportBody>,
): string[] {
  const fitting = categories ? sections.filter(({ heedsCategories }) => heedsCategories) : sections
  const known = [MEMORIES, HISTORY, ...fitting.map(({ name }) => name)]
  const places = placesIn(format, known, sections)
  if (include === undefined) return places
  const faults = include.flatMap((word, n) => {
    if (known.includes(word)) return []
    const isOfAll = sections.some(({ name }) => name === word)
    const message = isOfAll ? `${word} cannot be narrowed down to categories` : `must be one of ${known.join(', ')}`
    return [{ path: `include.${n}`, message }]
  })
  if (faults.length > 0) throw validationError(faults)
  const hasMemories = include.length === 0 || include.includes(MEMORIES) || include.includes(HISTORY)
  const words = places.filter(word => (word === MEMORIES ? hasMemories : include.includes(word)))
  if (words.length > 0) return words
  throw validationError([{ path: 'include', message: `must name what ${format} has: ${places.join(', ')}` }])
}

/** A CSV has no place for what else there is, which would only be read and counted, and people have no use for what is for imports. */
function placesIn(format: string, words: readonly string[], sections: readonly ArchiveSection[]): string[] {
  if (format === 'CSV') return [MEMORIES]
  if (format !== 'MARKDOWN') return [...words]
  return words.filter(word => !sections.some(({ name, isForImports }) => name === word && isForImports))
}
