import { expect, test } from 'bun:test'
import { sortAnswers } from './answers.ts'
import { BackendType, concat, cString, errorFrame, frame, int32, readyFrame } from './wire.ts'

const row = frame(0x44, Uint8Array.of(0, 0))
const complete = (tag: string) => frame(BackendType.commandComplete, cString(tag))
const notification = (channel: string) =>
  frame(BackendType.notification, int32(1), cString(channel), cString('payload'))
const parsed = frame(BackendType.parseComplete)
const copyIn = frame(BackendType.copyInResponse, Uint8Array.of(0, 0, 0))

test('answers without notifications go to their client as they are', () => {
  const output = concat([row, complete('SELECT 1'), readyFrame('T')])
  const answers = sortAnswers(output)
  expect(concat(answers.own)).toEqual(output)
  expect(answers).toMatchObject({ status: 'T', failed: false, notifications: [], commands: [] })
})

test('notifications are taken out, wherever they stand', () => {
  const answers = sortAnswers(concat([notification('a'), row, notification('b'), readyFrame('I'), notification('c')]))
  expect(concat(answers.own)).toEqual(concat([row, readyFrame('I')]))
  expect(answers.notifications).toEqual(['a', 'b', 'c'].map(channel => ({ channel, frame: notification(channel) })))
})

test('answers that the client has had already are left out', () => {
  const output = concat([parsed, copyIn, parsed, readyFrame('I')])
  const answers = sortAnswers(output, { copyInResponse: true, firstParseComplete: true })
  expect(concat(answers.own)).toEqual(concat([parsed, readyFrame('I')]))
})

test('errors and the commands that concern channels are noted', () => {
  const answers = sortAnswers(concat([complete('LISTEN'), complete('ROLLBACK'), errorFrame('ERROR', '22012', 'x')]))
  expect(answers).toMatchObject({ status: undefined, failed: true, commands: ['LISTEN', 'ROLLBACK'] })
})

test('no output is no answers', () => {
  expect(sortAnswers(new Uint8Array(0))).toMatchObject({ own: [], status: undefined })
})
