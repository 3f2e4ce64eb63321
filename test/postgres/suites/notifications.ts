import { expect, test } from 'bun:test'
import { signal, useClients, within } from '../clients.ts'

export function notificationSuite(url: () => string): void {
  const open = useClients(url)

  test('postgres.js hears what another connection notifies', async () => {
    const heard = signal<string>()
    await open.sql({ max: 1 }).listen('chan_a', heard.resolve)
    await open.sql({ max: 1 }).notify('chan_a', 'hello')
    expect(await within(10_000, heard.promise)).toBe('hello')
  })

  test('pg hears a channel whose name needs quotes', async () => {
    const heard = signal<string | undefined>()
    const client = open.client()
    await client.connect()
    client.on('notification', message => heard.resolve(message.payload))
    await client.query('LISTEN "jobs:Insert"')
    await open.sql({ max: 1 })`select pg_notify('jobs:Insert', 'x')`
    expect(await within(10_000, heard.promise)).toBe('x')
  })

  test('a client hears its own channels only', async () => {
    const heard: string[] = []
    const last = signal()
    const client = open.client()
    await client.connect()
    client.on('notification', message => {
      heard.push(message.channel)
      if (message.payload === 'last') last.resolve()
    })
    await client.query('listen chan_mine')
    const other = open.client()
    await other.connect()
    await other.query('listen chan_other')
    await other.query(`notify chan_other; notify chan_mine, 'last'`)
    await within(10_000, last.promise)
    expect(heard).toEqual(['chan_mine'])
  })

  test('one client may stop listening while another goes on', async () => {
    const [staying, leaving] = [open.client(), open.client()]
    await Promise.all([staying.connect(), leaving.connect()])
    const heard = signal()
    const left: string[] = []
    staying.on('notification', () => heard.resolve())
    leaving.on('notification', message => left.push(message.channel))
    await staying.query('listen chan_shared')
    await leaving.query('listen chan_shared')
    await leaving.query('unlisten chan_shared')
    await leaving.query('notify chan_shared')
    await within(10_000, heard.promise)
    await leaving.query('select 1')
    expect(left).toEqual([])
  })

  test('a LISTEN that was rolled back does not count', async () => {
    const [client, other] = [open.client(), open.client()]
    await Promise.all([client.connect(), other.connect()])
    const heard: string[] = []
    const last = signal()
    client.on('notification', message => {
      heard.push(message.channel)
      if (message.channel === 'chan_kept') last.resolve()
    })
    await client.query('begin')
    await client.query('listen chan_undone')
    await client.query('rollback')
    await client.query('listen chan_kept')
    await other.query('listen chan_undone')
    await other.query('notify chan_undone')
    await other.query('notify chan_kept')
    await within(10_000, last.promise)
    expect(heard).toEqual(['chan_kept'])
  })

  test('a notification is sent when its transaction commits, and not when it rolls back', async () => {
    const heard: string[] = []
    const last = signal()
    const sql = open.sql({ max: 1 })
    await open.sql({ max: 1 }).listen('chan_tx', payload => {
      heard.push(payload)
      if (payload === 'committed') last.resolve()
    })
    await sql
      .begin(async tx => {
        await tx`select pg_notify('chan_tx', 'rolled back')`
        throw new Error('no')
      })
      .catch(() => undefined)
    await sql.begin(async tx => {
      await tx`select pg_notify('chan_tx', 'committed')`
    })
    await within(10_000, last.promise)
    expect(heard).toEqual(['committed'])
  })
}
