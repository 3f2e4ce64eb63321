import { expect, test } from 'bun:test'
import { createCluster, type OpenCluster, openCluster } from './cluster.ts'
import { temporaryFolder } from './folders.test-support.ts'
import { compiledModule } from './index.ts'
import { textsOf } from './replies.ts'
import { Session } from './session.ts'
import { queryFrame } from './wire.ts'

const megabyte = 1024 * 1024

test('what is written and synced ahead of a checkpoint leaves it little to write, and survives a crash before it and after', async () => {
  const folder = await temporaryFolder()
  const module = await compiledModule()
  await createCluster(folder, module)
  const open = async () => {
    const cluster = await openCluster(folder, module, megabyte)
    const ask = (sql: string) => textsOf(cluster.backend.execute([queryFrame(sql)]) ?? new Uint8Array(0))
    return { cluster, session: new Session(cluster, 'request'), ask }
  }
  const crash = (cluster: OpenCluster) => {
    cluster.files.settle()
    cluster.files.abandon()
  }
  const sum = "select count(*) || ' ' || sum(hashtext(text)) from kept"

  const first = await open()
  first.ask(`create table kept as select md5(n::text) || repeat('x', 500) as text from generate_series(1, 20000) as n`)
  first.ask('create index on kept (text)')
  const changed = first.session.changedBuffers()
  expect(changed.length).toBeGreaterThan(1000)
  first.session.writeBuffers(changed)
  expect(first.session.changedBuffers().length).toBeLessThan(100)
  await first.session.syncFiles()
  const before = first.ask(sum)
  crash(first.cluster)

  const second = await open()
  expect(second.ask(sum)).toEqual(before)
  second.ask(`update kept set text = text || 'y'`)
  second.session.writeBuffers(second.session.changedBuffers())
  await second.session.syncFiles()
  const redo = 'select redo_lsn from pg_control_checkpoint()'
  const redoBefore = second.ask(redo)
  second.session.checkpoint()
  expect(second.ask(redo)).not.toEqual(redoBefore)
  const updated = second.ask(sum)
  crash(second.cluster)

  const third = await open()
  expect(third.ask(sum)).toEqual(updated)
  await third.cluster.close()
})

test('clients that are no superuser cannot look at the buffers of the database', async () => {
  const folder = await temporaryFolder()
  const module = await compiledModule()
  await createCluster(folder, module)
  const cluster = await openCluster(folder, module, megabyte)
  const messages = (sql: string) => new TextDecoder().decode(cluster.backend.execute([queryFrame(sql)]))
  messages('create role stranger')
  messages('set role stranger')
  for (const call of ['select pg_temp.evict(1)', 'select from pg_temp.buffers() as buffer (id integer)'])
    expect(messages(call)).toContain('permission denied for function')
  await cluster.close()
})
