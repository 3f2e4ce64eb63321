import { expect, test } from 'bun:test'
import { sortReplies, textsOf } from './replies.ts'
import { BackendType, concat, cString, errorFrame, frame, int32, readyFrame } from './wire.ts'

const row = frame(0x44, Uint8Array.of(0, 0))
const complete = (tag: string) => frame(BackendType.commandComplete, cString(tag))
const notification = (channel: string) =>
  frame(BackendType.notification, int32(1), cString(channel), cString('payload'))
const parsed = frame(BackendType.parseComplete)
const copyIn = frame(BackendType.copyInResponse, Uint8Array.of(0, 0, 0))

test('replies without notifications go to their client as they are', () => {
  const output = concat([row, complete('SELECT 1'), readyFrame('T')])
  const replies = sortReplies(output)
  expect(concat(replies.own)).toEqual(output)
  expect(replies).toMatchObject({ status: 'T', failed: false, notifications: [], commands: [] })
})

test('notifications are taken out, wherever they stand', () => {
  const replies = sortReplies(concat([notification('a'), row, notification('b'), readyFrame('I'), notification('c')]))
  expect(concat(replies.own)).toEqual(concat([row, readyFrame('I')]))
  expect(replies.notifications).toEqual(['a', 'b', 'c'].map(channel => ({ channel, frame: notification(channel) })))
})

test('replies that the client has had already are left out', () => {
  const output = concat([parsed, copyIn, parsed, readyFrame('I')])
  const replies = sortReplies(output, { copyInResponse: true, firstParseComplete: true })
  expect(concat(replies.own)).toEqual(concat([parsed, readyFrame('I')]))
})

test('errors and the commands that concern channels are noted', () => {
  const replies = sortReplies(concat([complete('LISTEN'), complete('ROLLBACK'), errorFrame('ERROR', '22012', 'x')]))
  expect(replies).toMatchObject({ status: undefined, failed: true, commands: ['LISTEN', 'ROLLBACK'] })
})

test('no output is no replies', () => {
  expect(sortReplies(new Uint8Array(0))).toMatchObject({ own: [], status: undefined })
})

test('the first column of rows is read, nulls left out', () => {
  const field = (text: string) => concat([int32(Buffer.byteLength(text)), Buffer.from(text)])
  const rowOf = (...fields: Uint8Array[]) => frame(0x44, concat([Uint8Array.of(0, fields.length), ...fields]))
  const output = concat([
    rowOf(field('17'), field('x')),
    rowOf(int32(-1)),
    rowOf(field('é')),
    complete('SELECT 3'),
    readyFrame('I'),
  ])
  expect(textsOf(output)).toEqual(['17', 'é'])
})
