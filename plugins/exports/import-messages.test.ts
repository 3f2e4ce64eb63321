import { expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import type { Json } from '../../test/support/client.ts'
import { service } from '../../test/support/service.ts'
import { claimImport, findImport } from './queries/imports.ts'
import { FAULTS_SHOWN } from './schemas.ts'
import { handWorld, imported, upload } from './world.test-support.ts'

const fresh = async () => (await (await service()).account()).client

test('an import quotes no more than the beginning of what its file holds', async () => {
  const client = await fresh()
  const lines = Array.from({ length: FAULTS_SHOWN }, () => JSON.stringify({ type: 'x'.repeat(500_000) }))
  const done = await imported(client, lines.join('\n'))
  expect(done).toMatchObject({ status: 'FAILED', lines_failed: FAULTS_SHOWN })
  expect(done.error).toStartWith('Nothing of the file could be imported: nothing here reads a xxx')
  expect(done.errors.map(({ message }: Json) => message)).toEqual(
    Array.from({ length: FAULTS_SHOWN }, () => `nothing here reads a ${'x'.repeat(100)}…`),
  )
  const path = `metadata.${'k'.repeat(500_000)}`
  const deep = await imported(client, JSON.stringify({ text: 'Ada sails.', metadata: { [path]: '\ud800' } }))
  expect(deep.error).toStartWith('Nothing of the file could be imported: metadata')
  const token = await imported(client, `["Ada sails." ${JSON.stringify('y'.repeat(500_000))}]`)
  expect(token.error).toStartWith('The file is no valid JSON: ')
  expect(JSON.stringify((await client.get('/v1/imports')).body).length).toBeLessThan(10_000)
})

test('a message that the database would refuse is told as far as it can be', async () => {
  const type = `a\0\ud800${'😀'.repeat(100)}`
  const done = await imported(await fresh(), JSON.stringify({ type }))
  expect(done.errors).toEqual([{ line: 1, message: `nothing here reads a a\ufffd${'😀'.repeat(48)}\ufffd…` }])
})

test('an update shortens the messages that are kept', async () => {
  const client = await fresh()
  const { database } = await service()
  const { id } = await imported(client, JSON.stringify({ type: 'nothing' }))
  const other = await imported(client, JSON.stringify({ text: 'Ada sails.' }))
  const faults = [1, 2].map(line => ({ line, message: `${line}${'é'.repeat(100_000)}` }))
  await database.system(
    tx => tx`
      update exports.import
      set faults = ${JSON.stringify(faults)}::text::jsonb, error = ${'é'.repeat(100_000)}
      where import.id = ${id}`,
  )
  const migration = await readFile(new URL('./sql/0011_shorten_messages.sql', import.meta.url), 'utf8')
  await database.system(tx => tx.unsafe(migration))
  const { errors, error } = (await client.get(`/v1/imports/${id}`)).body
  expect(errors).toEqual([1, 2].map(line => ({ line, message: `${line}${'é'.repeat(299)}` })))
  expect(error).toBe('é'.repeat(500))
  expect((await client.get(`/v1/imports/${other.id}`)).body).toEqual(other)
})

test('the name of a list, which may be long, is read only by the run that goes on in it', async () => {
  const { client, database, workspaceId } = await handWorld()
  const { id } = (await upload(client, JSON.stringify({ text: 'Ada sails.' }))).body
  const name = 'n'.repeat(500_000)
  const [found, taken] = await database.workspace(workspaceId, async tx => {
    await tx`
      update exports.import
      set list = ${JSON.stringify(name)}
      where import.workspace_id = ${workspaceId}`
    return [await findImport(tx, workspaceId, id), await claimImport(tx, workspaceId, id)] as const
  })
  expect(found).not.toHaveProperty('list')
  expect(taken?.list).toBe(name)
})
