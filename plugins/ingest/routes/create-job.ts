import { accepted, type Caller, form, type Tenant, type Tx } from 'mneme/plugin'
import { v7 } from 'uuid'
import { intakeErrors, screen, secretsMode } from '../../memories/contract.ts'
import { failIngest } from '../errors.ts'
import { acceptedExample } from '../examples.ts'
import {
  type IngestForm,
  ingestChecks,
  isNamedByCaller,
  lookAt,
  nameOfDocument,
  readRequest,
} from '../input/request.ts'
import type { Job, NewJobRow } from '../job.ts'
import { requireRoomFor } from '../limits.ts'
import { countDocuments, holdName, joinDocuments } from '../queries/documents.ts'
import { countWaiting, insertJob } from '../queries/jobs.ts'
import { requireMemoryDelete, route, WRITE } from '../route.ts'
import { ingestFields, ingestFile, jobResponse } from '../schemas.ts'
import type { IngestScope } from '../scope.ts'
import { toJobResponse } from '../serializers.ts'
import { firstJobOf } from '../tasks/jobs.ts'

export const createJobRoute = route({
  method: 'POST',
  path: '/v1/memories/ingest',
  operationId: 'ingestDocument',
  access: WRITE,
  subject: { user: 'user_id' },
  summary: 'Make memories of a file or a page',
  description:
    'Takes a file, or the address of a public page, and makes memories of its parts in the background. Poll the job until it is COMPLETED, when all of them are searchable, or FAILED, when `error` says why.',
  body: form({ fields: ingestFields, files: { file: ingestFile } }),
  checks: ingestChecks,
  responses: { 202: jobResponse },
  examples: { response: acceptedExample },
  errors: ['UNSUPPORTED_FORMAT', 'DOCUMENT_AMBIGUOUS'],
  additions: wiring => ({ errors: intakeErrors(wiring) }),
  async handle({ body, caller, scope, tenant }) {
    const id = v7()
    try {
      return accepted(toJobResponse(await takeIn(scope, tenant, caller, id, body)))
    } catch (error) {
      // Pieces that this does not reach are removed by their age.
      await tenant
        .transaction(tx => scope.files.remove(tx, tenant.workspaceId, [id]), { undoes: true })
        .catch(() => undefined)
      throw error
    }
  },
})

/** Stores the file, then the job. */
async function takeIn(
  scope: IngestScope,
  tenant: Tenant,
  caller: Caller,
  id: string,
  { fields, files: { file } }: IngestForm,
): Promise<Job> {
  const { workspaceId } = tenant
  const upload = file && (await lookAt(file))
  const request = readRequest(fields, upload)
  if (fields.replace) requireMemoryDelete(caller)
  // The document itself is looked at as it is read. An address is needed whole, and masked in what its memories tell of it.
  const told = await screen(secretsMode.of(tenant.workspace), {
    categories: [...new Set((fields.categories ?? []).map(category => category.trim()))],
    fileName: upload?.fileName ?? null,
    documentName: nameOfDocument(fields, upload) ?? null,
    sourceUrl: fields.source_url ?? null,
    instructions: fields.instructions ?? null,
  })
  requireRoomFor(file?.size ?? 0, await tenant.transaction(tx => countWaiting(tx, workspaceId)))
  if (file) await scope.files.write(tenant, id, file.stream())
  const row: NewJobRow = {
    ...request,
    id,
    userId: fields.user_id ?? 'default',
    ...told,
    sourceUrl: fields.source_url ?? null,
    sizeBytes: file?.size ?? null,
    isReplacement: fields.replace ?? false,
  }
  return tenant.transaction(async tx => {
    const older = row.isReplacement ? await replaced(tx, workspaceId, row, isNamedByCaller(fields)) : undefined
    const job = await insertJob(tx, workspaceId, row, older)
    await scope.jobs.enqueue(tx, [firstJobOf(workspaceId, job.stage)])
    return job
  })
}

/**
 * Finds what a replacement replaces; undefined where nothing has its name.
 * @throws DOCUMENT_AMBIGUOUS where that is several documents, by a name that nobody chose: their memories would be deleted for good
 */
async function replaced(tx: Tx, workspaceId: string, row: NewJobRow, isNamed: boolean): Promise<string | undefined> {
  await holdName(tx, workspaceId, row)
  const count = isNamed ? 0 : await countDocuments(tx, workspaceId, row)
  if (count > 1) {
    const message = `${count} documents of the user have the name of this file. Give it as document_name to replace all of them, or delete those that are not to be.`
    throw failIngest('DOCUMENT_AMBIGUOUS', { message })
  }
  return joinDocuments(tx, workspaceId, row)
}
