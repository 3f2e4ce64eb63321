import { accepted, type Caller, form, type Tenant, type UploadedFile } from 'mneme/plugin'
import { v7 } from 'uuid'
import { acceptedExample } from '../examples.ts'
import { lookAt, nameOfDocument, readRequest } from '../input/request.ts'
import type { Job } from '../job.ts'
import { insertJob } from '../queries/jobs.ts'
import { requireMemoryDelete, route, WRITE } from '../route.ts'
import { type IngestFields, ingestFields, ingestFile, jobResponse } from '../schemas.ts'
import type { IngestScope } from '../scope.ts'
import { toJobResponse } from '../serializers.ts'
import { advanceJobOf } from '../tasks/advance.ts'

interface Body {
  readonly fields: IngestFields
  readonly files: { readonly file: UploadedFile | undefined }
}

export const createJobRoute = route({
  method: 'POST',
  path: '/v1/memories/ingest',
  access: WRITE,
  summary: 'Make memories of a file or a page',
  description:
    'Takes a file, or the address of a public page, and makes memories of its parts in the background. Poll the job until it is COMPLETED, when all of them are searchable, or FAILED, when `error` says why.',
  body: form({ fields: ingestFields, files: { file: ingestFile } }),
  responses: { 202: jobResponse },
  examples: { response: acceptedExample },
  errors: ['UNSUPPORTED_FORMAT'],
  async handle({ body, caller, scope, tenant }) {
    const id = v7()
    try {
      return accepted(toJobResponse(await takeIn(scope, tenant, caller, id, body)))
    } catch (error) {
      // Pieces that this does not reach are removed by their age.
      await tenant.transaction(tx => scope.files.remove(tx, tenant.workspaceId, [id])).catch(() => undefined)
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
  { fields, files: { file } }: Body,
): Promise<Job> {
  const { workspaceId } = tenant
  const upload = file && (await lookAt(file))
  const request = readRequest(fields, upload)
  if (fields.replace) requireMemoryDelete(caller)
  if (file) await scope.files.write(tenant, id, file.stream())
  return tenant.transaction(async tx => {
    const job = await insertJob(tx, workspaceId, {
      ...request,
      id,
      userId: fields.user_id ?? 'default',
      categories: [...new Set((fields.categories ?? []).map(category => category.trim()))],
      fileName: upload?.fileName ?? null,
      sourceUrl: fields.source_url ?? null,
      documentName: nameOfDocument(fields, upload) ?? null,
      sizeBytes: file?.size ?? null,
      isReplacement: fields.replace ?? false,
    })
    await scope.jobs.enqueue(tx, [advanceJobOf(workspaceId)])
    return job
  })
}
