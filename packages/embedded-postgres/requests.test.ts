import { describe, expect, test } from 'bun:test'
import { RequestReader } from './requests.ts'
import { StatementNames } from './statements.ts'
import { BackendType, cString, FrontendType, frame, ProtocolError, queryFrame, syncFrame } from './wire.ts'

const newReader = (maxBytes = 1000) => new RequestReader(new StatementNames(1), maxBytes)
const parse = (name: string, sql = 'select 1') =>
  frame(FrontendType.parse, cString(name), cString(sql), Uint8Array.of(0, 0))
const bind = (name: string) => frame(FrontendType.bind, cString(''), cString(name), new Uint8Array(6))
const copyData = frame(FrontendType.copyData, Uint8Array.of(49, 10))
const copyDone = frame(FrontendType.copyDone)

describe('a request', () => {
  test('is one simple query, or the messages up to a Sync or Flush', () => {
    const reader = newReader()
    expect(reader.accept(queryFrame('select 1'))?.messages).toEqual([queryFrame('select 1')])
    expect(reader.accept(parse('a'))).toBeUndefined()
    expect(reader.accept(bind('a'))).toBeUndefined()
    expect(reader.accept(syncFrame)?.messages).toEqual([parse('c1_a'), bind('c1_a'), syncFrame])
    const flush = frame(FrontendType.flush)
    expect(reader.accept(flush)?.messages).toEqual([flush])
  })

  test('says whether it needs the unnamed statement of an earlier one', () => {
    const reader = newReader()
    reader.accept(parse(''))
    reader.accept(bind(''))
    const first = reader.accept(syncFrame)
    expect(first?.reusesUnnamed).toBe(false)
    expect(first?.unnamedParse).toEqual(parse(''))
    reader.accept(bind(''))
    expect(reader.accept(syncFrame)?.reusesUnnamed).toBe(true)
  })

  test('carries the LISTEN of a statement prepared earlier', () => {
    const reader = newReader()
    reader.accept(parse('l', 'listen news'))
    expect(reader.accept(syncFrame)?.changes).toEqual([])
    reader.accept(bind('l'))
    expect(reader.accept(syncFrame)?.changes).toEqual([{ listen: true, channel: 'news' }])
  })

  test('over the limit is refused', () => {
    const reader = newReader(100)
    reader.accept(parse('a', 'x'.repeat(60)))
    expect(() => reader.accept(parse('b', 'x'.repeat(60)))).toThrow(ProtocolError)
  })

  test('of an unknown message type is refused', () => {
    expect(() => newReader().accept(frame(0x21))).toThrow(ProtocolError)
  })
})

describe('COPY FROM STDIN', () => {
  const copy = queryFrame('copy t from stdin')

  test('is replied to at once and handed on whole', () => {
    const reader = newReader()
    expect(reader.accept(copy)?.reply?.[0]).toBe(BackendType.copyInResponse)
    expect(reader.accept(copyData)).toBeUndefined()
    expect(reader.accept(syncFrame)).toBeUndefined()
    const whole = reader.accept(copyDone)
    expect(whole).toMatchObject({ copyIn: true, simple: true })
    expect(whole?.messages).toEqual([copy, copyData, copyDone])
    expect(reader.accept(queryFrame('select 1'))?.copyIn).toBe(false)
  })

  test.each([
    ['/* why */ COPY public.t (a, b)\n FROM STDIN WITH (FORMAT binary)', true],
    ['copy t to stdout', false],
    [`copy t from '/tmp/file'`, false],
    [`insert into t values ('copy t from stdin')`, false],
  ])('%p is recognised: %p', (sql, recognised) => {
    expect(newReader().accept(queryFrame(sql))?.reply !== undefined).toBe(recognised)
  })

  test('data over the limit is refused, and so is another statement in between', () => {
    const reader = newReader(29)
    reader.accept(copy)
    expect(() => reader.accept(copyData)).toThrow(ProtocolError)
    const other = newReader()
    other.accept(copy)
    expect(() => other.accept(queryFrame('select 1'))).toThrow(ProtocolError)
  })

  test('data that follows a failed COPY is ignored', () => {
    expect(newReader().accept(copyData)).toBeUndefined()
  })
})
