import { AppError, compileValidator, hasFeature, instant, type Static, type Tenant, Type, uuid } from 'mneme/plugin'
import type { ArchiveRecord, ArchiveSection } from '../../memories/contract.ts'
import { templateErrors } from '../errors.ts'
import { readTemplate } from '../input.ts'
import { countTemplates, findTemplate, findTemplatesAfter, restoreTemplate } from '../queries/templates.ts'
import { createBody } from '../schemas.ts'
import { FEATURE } from '../scope.ts'
import { toTemplate } from '../serializers.ts'
import { TEMPLATES_MAX } from '../store-template.ts'
import type { Template } from '../template.ts'

const TYPE = 'template'
/** Together they have at most some 2 MB. */
const PAGE_MAX = 20

const record = Type.Object({
  type: Type.Literal(TYPE),
  id: uuid(),
  ...createBody.properties,
  created_at: instant({ happened: true }),
  updated_at: instant({ happened: true }),
})
const validator = compileValidator(record)

/** Templates are the workspace's: an export of one user's memories, or of some categories, has none. */
export const templatesSection: ArchiveSection = {
  name: 'templates',
  types: [TYPE],
  async page(tx, workspaceId, { userId }, after, limit) {
    if (userId !== undefined) return { records: [], next: undefined }
    const rowsMax = Math.min(limit, PAGE_MAX)
    const templates = await findTemplatesAfter(tx, workspaceId, after, rowsMax)
    const next = templates.length < rowsMax ? undefined : templates.at(-1)?.id
    return { records: templates.map(template => ({ type: TYPE, ...toTemplate(template) })), next }
  },
  async restore(tenant, records) {
    const faults: { at: number; message: string }[] = []
    let restored = 0
    if (!hasFeature(tenant.workspace, FEATURE)) return { restored, faults }
    for (const [at, given] of records.entries()) {
      const outcome = await restoreRecord(tenant, given)
      if (typeof outcome === 'string') faults.push({ at, message: outcome })
      else if (outcome) restored++
    }
    return { restored, faults }
  },
}

/** @returns whether it was not there, or what is wrong with it */
async function restoreRecord(tenant: Tenant, given: ArchiveRecord): Promise<boolean | string> {
  const reading = readRecord(given)
  if ('fault' in reading) return reading.fault
  const { workspaceId } = tenant
  return tenant.transaction(async tx => {
    if (await findTemplate(tx, workspaceId, reading.template.id)) return false
    if ((await countTemplates(tx, workspaceId)) >= TEMPLATES_MAX) return templateErrors.TEMPLATE_LIMIT_EXCEEDED.message
    return restoreTemplate(tx, workspaceId, reading.template)
  })
}

/** A template of an archive is held to the same rules as a new one. */
function readRecord(given: ArchiveRecord): { fault: string } | { template: Template } {
  const [fault] = validator.faults(given)
  if (fault) return { fault: `${fault.path} ${fault.message}` }
  const { id, created_at, updated_at, ...fields } = given as unknown as Static<typeof record>
  const times = { createdAt: new Date(created_at), updatedAt: new Date(updated_at) }
  try {
    return { template: { ...readTemplate(fields), ...times, id: id.toLowerCase() } }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const [detail] = error.details ?? []
    return { fault: detail ? `${detail.path} ${detail.message}` : error.message }
  }
}
