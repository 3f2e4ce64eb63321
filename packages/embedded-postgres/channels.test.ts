import { describe, expect, test } from 'bun:test'
import { Channels, channelChanges, PendingChanges } from './channels.ts'

describe('channelChanges', () => {
  test.each([
    ['listen news', [{ listen: true, channel: 'news' }]],
    ['  LISTEN News;', [{ listen: true, channel: 'news' }]],
    ['LISTEN "jobs:Insert"', [{ listen: true, channel: 'jobs:Insert' }]],
    ['listen "with ""quotes"""', [{ listen: true, channel: 'with "quotes"' }]],
    ['-- a comment\nlisten a', [{ listen: true, channel: 'a' }]],
    ['/* two\nlines */ listen größe', [{ listen: true, channel: 'größe' }]],
    ['unlisten a', [{ listen: false, channel: 'a' }]],
    ['UNLISTEN *', [{ listen: false, channel: undefined }]],
    [
      'listen a; select 1; unlisten b',
      [
        { listen: true, channel: 'a' },
        { listen: false, channel: 'b' },
      ],
    ],
    ['select listen from a', []],
    ['notify a', []],
  ])('finds what %p does', (sql, changes) => {
    expect(channelChanges(sql)).toEqual(changes)
  })
})

describe('Channels', () => {
  test('says which channels others still listen to when one stops', () => {
    const channels = new Channels<string>()
    for (const who of ['a', 'b']) channels.apply(who, { listen: true, channel: 'x' })
    channels.apply('a', { listen: true, channel: 'y' })
    expect(channels.apply('a', { listen: false, channel: undefined })).toEqual(['x'])
    expect([...channels.listenersOf('x')]).toEqual(['b'])
    expect([...channels.listenersOf('y')]).toEqual([])
  })

  test('says which channels nobody listens to any more when one goes', () => {
    const channels = new Channels<string>()
    for (const who of ['a', 'b']) channels.apply(who, { listen: true, channel: 'x' })
    channels.apply('a', { listen: true, channel: 'y' })
    expect(channels.drop('a')).toEqual(['y'])
    expect(channels.drop('b')).toEqual(['x'])
  })
})

describe('PendingChanges', () => {
  const listen = { listen: true, channel: 'x' }

  test('hold when the backend reported them and the transaction committed', () => {
    const pending = new PendingChanges()
    pending.add([listen])
    pending.note(['LISTEN'], false)
    expect(pending.end(false)).toEqual([listen])
    expect(pending.end(false)).toEqual([])
  })

  test('do not hold after a rollback, an error, or without a report', () => {
    const pending = new PendingChanges()
    for (const [commands, failed, rolledBack] of [
      [['LISTEN'], false, true],
      [['LISTEN'], true, false],
      [[], false, false],
    ] as const) {
      pending.add([listen])
      pending.note(commands, failed)
      expect(pending.end(rolledBack)).toEqual([])
    }
  })
})
