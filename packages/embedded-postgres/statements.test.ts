import { expect, test } from 'bun:test'
import { StatementNames, sqlOf, statementOf } from './statements.ts'
import { concat, cString, FrontendType, frame, queryFrame } from './wire.ts'

const kind = (letter: string) => new TextEncoder().encode(letter)
const parse = (name: string) => frame(FrontendType.parse, cString(name), cString('select 1'), Uint8Array.of(0, 0))
const bind = (portal: string, name: string) =>
  frame(FrontendType.bind, cString(portal), cString(name), Uint8Array.of(0, 0, 0, 0, 0, 0))
const describeStatement = (name: string) => frame(FrontendType.describe, kind('S'), cString(name))
const closeStatement = (name: string) => frame(FrontendType.close, kind('S'), cString(name))

test('named statements get the prefix of their connection in every message that names them', () => {
  const names = new StatementNames(7)
  expect(names.rewrite(parse('s'))).toEqual(parse('c7_s'))
  expect(names.rewrite(bind('', 's'))).toEqual(bind('', 'c7_s'))
  expect(names.rewrite(describeStatement('s'))).toEqual(describeStatement('c7_s'))
  expect(names.rewrite(closeStatement('s'))).toEqual(closeStatement('c7_s'))
})

test('unnamed statements and portals keep their names', () => {
  const names = new StatementNames(7)
  const portal = frame(FrontendType.describe, kind('P'), cString('cursor'))
  for (const message of [parse(''), bind('cursor', ''), describeStatement(''), portal, queryFrame('select 1')]) {
    expect(names.rewrite(message)).toEqual(message)
  }
  expect(names.rewrite(bind('cursor', 's'))).toEqual(bind('cursor', 'c7_s'))
})

test('a name of many bytes is replaced whole', () => {
  expect(new StatementNames(1).rewrite(parse('größe'))).toEqual(parse('c1_größe'))
})

test('what is left prepared at the end is closed, once', () => {
  const names = new StatementNames(2)
  for (const message of [parse('a'), parse('b'), closeStatement('a'), parse('')]) names.rewrite(message)
  expect(names.takeCloseFrames()).toEqual([closeStatement('c2_b')])
  expect(names.takeCloseFrames()).toEqual([])
})

test('the statement and the text of a message are found', () => {
  expect([parse('a'), bind('p', 'b'), describeStatement('c'), queryFrame('select 1')].map(statementOf)).toEqual([
    'a',
    'b',
    'c',
    undefined,
  ])
  expect([parse('a'), queryFrame('select 2'), concat([closeStatement('a')])].map(sqlOf)).toEqual([
    'select 1',
    'select 2',
    undefined,
  ])
})
