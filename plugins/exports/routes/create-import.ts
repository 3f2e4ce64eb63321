import { Buffer } from 'node:buffer'
import { accepted, fail, formStream, letOthersIn, storableFileName, type Tenant, validationError } from 'mneme/plugin'
import { v7 } from 'uuid'
import { newImportExample } from '../examples.ts'
import { importJob } from '../job.ts'
import { IMPORTS_WAITING_MAX, tooManyImports } from '../limits.ts'
import { beginUpload, dropUpload, endUpload, importFiles } from '../queries/imports.ts'
import { isItem } from '../reading/inspect.ts'
import { route, WRITE } from '../route.ts'
import { IMPORT_BYTES_MAX, importFields, importResponse, LINE_BYTES_MAX } from '../schemas.ts'
import { toImport } from '../serializers.ts'

const BREAK = 10

export const createImportRoute = route({
  method: 'POST',
  path: '/v1/imports',
  operationId: 'createImport',
  access: WRITE,
  summary: 'Import a file',
  description:
    'Takes a JSONL export of this service, with ids, times and history; exports of mem0, Zep, Hindsight, Supermemory and Letta in JSON; and lines of JSON with a `text`. Memories whose id or text the workspace already has are skipped and counted. It is COMPLETED when all of them can be searched. At most ten imports of a workspace wait; `RATE_LIMITED` beyond.',
  body: formStream({
    fields: importFields,
    files: {
      file: {
        description:
          'The file. A line, or an item of a document, has at most 1 MB. A longer line is 413 where the first line shows that the file is one of lines.',
        maxBytes: IMPORT_BYTES_MAX,
      },
    },
  }),
  responses: { 202: importResponse },
  examples: { response: newImportExample },
  async handle({ body, scope, tenant }) {
    const { workspaceId } = tenant
    const id = v7()
    if (!(await tenant.transaction(tx => beginUpload(tx, workspaceId, id, IMPORTS_WAITING_MAX)))) throw tooManyImports()
    try {
      let file: { fileName: string | null; size: number } | undefined
      for await (const incoming of body) {
        file = {
          fileName: storableFileName(incoming.filename),
          size: await importFiles.write(tenant, id, withinLineLimit(incoming)),
        }
      }
      const { user_id: userId = 'default' } = await body.fields()
      if (!file) throw validationError([{ path: 'file', message: 'is required' }])
      const kept = { ...file, userId }
      const job = await tenant.transaction(async tx => {
        await scope.jobs.enqueue(tx, [importJob(workspaceId, id)])
        return endUpload(tx, workspaceId, id, kept)
      })
      if (!job) throw new Error('an upload was removed while it arrived')
      return accepted(toImport(job))
    } catch (error) {
      await forget(tenant, id)
      throw error
    }
  },
})

/** Best effort: what stays is removed by its age. */
async function forget(tenant: Tenant, id: string): Promise<void> {
  await tenant.transaction(tx => dropUpload(tx, tenant.workspaceId, id), { undoes: true }).catch(() => undefined)
}

/**
 * Passes a file on as it arrives. It holds no more than the first line, which says whether the file is one of lines; one JSON document may
 * have lines of any length.
 * @throws FILE_TOO_LARGE where a line is longer than imports read
 */
export async function* withinLineLimit(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes = LINE_BYTES_MAX,
): AsyncGenerator<Uint8Array> {
  let kind: 'unknown' | 'lines' | 'document' = 'unknown'
  let opening: Uint8Array[] = []
  let line = 1
  let length = 0
  for await (const chunk of bytes) {
    for (let from = 0; kind !== 'document'; ) {
      const to = chunk.indexOf(BREAK, from)
      const part = chunk.subarray(from, to < 0 ? chunk.length : to)
      length += part.length
      if (kind === 'unknown') opening.push(part)
      if (length > maxBytes) {
        if (kind === 'lines') throw tooLong(line, maxBytes)
        kind = 'document'
        opening = []
      }
      if (to < 0) break
      if (kind === 'unknown') kind = kindOf(Buffer.concat(opening).toString('utf8'))
      opening = []
      from = to + 1
      length = 0
      line++
      await letOthersIn()
    }
    yield chunk
  }
}

function kindOf(line: string): 'unknown' | 'lines' | 'document' {
  if (line.trim() === '') return 'unknown'
  return isItem(line) ? 'lines' : 'document'
}

function tooLong(line: number, maxBytes: number) {
  return fail('FILE_TOO_LARGE', {
    message: `Line ${line} of the file is longer than ${maxBytes} bytes, which is the most that a line may have.`,
  })
}
