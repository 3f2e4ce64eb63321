import type { Client, ClientResponse, Json } from '../../test/kit/client.ts'
import { until } from '../../test/support/wait.ts'

export const PATH = '/v1/memories/ingest'
export const JOBS = '/v1/ingest-jobs'

/** Something to upload, with the name it goes by. */
export interface Upload {
  readonly name: string
  readonly content: string | Uint8Array
}

export function formOf(fields: Readonly<Record<string, string>>, file?: Upload): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (file) form.append('file', new Blob([file.content as BlobPart]), file.name)
  return form
}

export function hand(client: Client, fields: Readonly<Record<string, string>>, file?: Upload): Promise<ClientResponse> {
  return client.request('POST', PATH, { raw: formOf(fields, file) })
}

/** Waits until a job has ended, and returns it. */
export function ended(client: Client, id: string): Promise<Json> {
  return until('the job has ended', async () => {
    const { body } = await client.get(`${JOBS}/${id}`)
    return body.status === 'COMPLETED' || body.status === 'FAILED' ? body : undefined
  })
}

/** Hands a document in and waits until its job has ended. */
export async function ingest(client: Client, fields: Readonly<Record<string, string>>, file?: Upload): Promise<Json> {
  const { status, body } = await hand(client, fields, file)
  if (status !== 202) throw new Error(`the document was answered with ${status}: ${JSON.stringify(body)}`)
  return ended(client, body.id)
}

export async function memoriesOf(client: Client, jobId: string): Promise<Json[]> {
  const { body } = await client.get(`${JOBS}/${jobId}/memories`, { query: { page_size: 100 } })
  return body.data
}

/** Sections that are long enough to be chunks of their own. */
export function handbook(...topics: readonly string[]): string {
  const section = (topic: string) =>
    `## ${topic}\n\n${[1, 2, 3].map(n => `Rule ${n} about ${topic} says that everybody who asks for ${topic} in time is told what they have to know about it.`).join(' ')}`
  return ['# Handbook', ...topics.map(section)].join('\n\n')
}
