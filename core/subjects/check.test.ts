import { afterAll, expect, test } from 'bun:test'
import { controlPlane, failure } from '../../test/support/control-plane.ts'
import { type AnyPlugin, eraseTypes } from '../plugin.ts'
import { checkSubjects, subjectFaults } from './check.ts'
import { CORE_SUBJECTS } from './subjects.ts'

const plugin = (subjects: AnyPlugin['subjects'], id = 'notes'): AnyPlugin =>
  eraseTypes({
    id,
    version: '1.0.0',
    apiVersion: 1,
    ...(subjects ? { subjects } : {}),
    setup: () => ({ scope: null }),
  })

afterAll(async () => {
  const { database } = (await controlPlane()).storage
  await database.system(tx => tx`drop schema if exists x_notes cascade`)
})

test('a table that names users and has no entry, or one that cannot be carried out, ends the start', async () => {
  const { database } = (await controlPlane()).storage
  await database.system(async tx => {
    await tx`create schema x_notes`
    await tx`create table x_notes.note (workspace_id uuid, id uuid, user_id text, is_user boolean, primary key (workspace_id, id))`
    await tx`create table x_notes.share (workspace_id uuid, id uuid, with_user text, note_id uuid, primary key (workspace_id, id))`
  })
  const said = async (subjects: AnyPlugin['subjects']) => {
    const checking = checkSubjects(database, [{ plugin: plugin(subjects), schema: 'x_notes' }])
    return checking.then(
      () => [],
      error => error.message.split('\n'),
    )
  }
  const note = { table: 'x_notes.note', column: 'user_id', parts: [{ table: 'x_notes.share', column: 'note_id' }] }
  const share = { table: 'x_notes.share', column: 'with_user', instead: { blank: 'with_user = null' } } as const
  expect(await said([note, share])).toEqual([])
  expect(await said([note])).toEqual([
    expect.stringMatching(/^plugin notes: x_notes.share names users in with_user, .*subjects/),
  ])
  expect(await said(undefined)).toHaveLength(2)
  for (const odd of [
    { ...note, where: 'item.colour = 1' },
    { ...note, column: 'name' },
  ]) {
    expect(await said([odd, { ...note, parts: [] }, share])).toEqual([
      expect.stringMatching(
        /^plugin notes: its subjects of x_notes.note .* cannot be erased: column .* does not exist/,
      ),
    ])
  }
  expect(await said([note, { ...share, instead: { blank: 'nobody = null' } }])).toHaveLength(1)
  await failure(checkSubjects(database, [{ plugin: plugin([]), schema: 'x_notes' }]))
})

test("each column of the kernel's own schema that names users takes part in an erasure", async () => {
  const { database } = (await controlPlane()).storage
  const said = async (subjects: AnyPlugin['subjects']) =>
    String(await failure(checkSubjects(database, [{ plugin: plugin(subjects, 'core'), schema: 'core' }]))).split('\n')
  // It is the name of a browser.
  const known = [expect.stringContaining('core.account_session names users in user_agent')]
  expect(await said(CORE_SUBJECTS)).toEqual(known)
  expect(await said(CORE_SUBJECTS.filter(({ table }) => table !== 'core.event'))).toEqual([
    ...known,
    expect.stringContaining('core.event names users in user_id'),
  ])
})

test('entries name tables of the own schema, each once', () => {
  const entry = { table: 'x_notes.note', column: 'user_id' }
  expect(subjectFaults(plugin([entry, entry]), 'x_notes')).toEqual([
    'plugin notes: its subjects name x_notes.note by user_id twice; remove one',
  ])
  expect(subjectFaults(plugin([{ table: 'memories.memory', column: 'user_id' }]), 'x_notes')).toEqual([
    expect.stringContaining('must be a table of its own schema'),
  ])
})
