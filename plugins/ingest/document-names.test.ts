import { expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { service } from '../../test/support/service.ts'
import { handbook, ingest } from './world.test-support.ts'

// A Mac writes names of files in the decomposed form, Linux and Windows mostly in the composed one.
const COMPOSED = 'Überblick für Zoë.md'.normalize('NFC')
const DECOMPOSED = COMPOSED.normalize('NFD')

test('a version finds the older one whichever Unicode form its name has', async () => {
  const { client } = await (await service()).account()
  const fields = [COMPOSED, DECOMPOSED].flatMap(name => [
    { name, given: { replace: 'true' } },
    { name: 'file.md', given: { replace: 'true', document_name: name } },
  ])
  const ids = new Set<string>()
  for (const [n, { name, given }] of fields.entries()) {
    const job = await ingest(client, given, { name, content: handbook(`topic ${n}`) })
    ids.add(job.document_id)
    expect([job.status, job.memories_removed, job.document_name]).toEqual(['COMPLETED', Math.min(n, 1), COMPOSED])
  }
  expect([ids.size, (await client.get('/v1/memories')).body.total]).toEqual([1, 1])
})

test('names that were stored in another Unicode form are found after an update', async () => {
  const { database, account } = await service()
  const { client, workspaceId } = await account()
  const give = (topic: string, fields: Readonly<Record<string, string>>) =>
    ingest(client, fields, { name: 'file.md', content: handbook(topic) })
  const first = await give('parking', { document_name: COMPOSED })
  const nameless = await ingest(client, {}, { name: 'blob', content: 'A note.' })
  await database.workspace(
    workspaceId,
    tx => tx`update ingest.job set document_name = ${DECOMPOSED} where job.id = ${first.id}`,
  )
  const migration = await readFile(new URL('./sql/0008_compose_document_names.sql', import.meta.url), 'utf8')
  await database.system(tx => tx.unsafe(migration))
  const named = await database.workspace(
    workspaceId,
    tx => tx`select job.document_name from ingest.job order by job.created_at`,
  )
  expect([...named]).toEqual([{ document_name: COMPOSED }, { document_name: nameless.document_name }])
  const second = await give('holidays', { replace: 'true', document_name: COMPOSED })
  expect([second.document_id, second.memories_removed]).toEqual([first.document_id, 1])
})
