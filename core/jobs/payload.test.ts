import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { payloadReader, readAsStored } from './payload.ts'

const schema = Type.Object({ at: Type.String(), list: Type.Optional(Type.Array(Type.Object({ n: Type.Integer() }))) })
const read = payloadReader(schema)

test('each field at fault is named once, without its value', () => {
  expect(read({ list: [{ n: 'secret' }, {}] })).toEqual({
    valid: false,
    faults: ['at is required', 'list.0.n: expected integer', 'list.1.n is required'],
  })
  expect(read(7)).toEqual({ valid: false, faults: ['the payload: expected object'] })
})

test('what a schedule adds is no part of the payload', () => {
  expect(read({ at: 'x', _cron: { ts: 'x' } })).toEqual({ valid: true, value: { at: 'x' } })
})

test('a payload is read as it is stored', () => {
  const at = new Date(0)
  expect(readAsStored(read, { at, list: undefined })).toEqual({ valid: true, value: { at: at.toISOString() } })
  expect(readAsStored(read, { at: 7 })).toMatchObject({ valid: false })
})

test('a schema is compiled once', () => {
  expect(payloadReader(schema)).toBe(read)
})
