import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  concat,
  cString,
  errorFrame,
  FrameReader,
  frame,
  int32,
  ProtocolError,
  queryFrame,
  spans,
  stringAt,
} from './wire.ts'

describe('FrameReader', () => {
  test('gives back the frames however the stream is cut', () => {
    const bodies = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 })
    fc.assert(
      fc.property(bodies, fc.array(fc.nat(50), { minLength: 1, maxLength: 20 }), (contents, cuts) => {
        const frames = contents.map((body, i) => frame(65 + i, body))
        const reader = new FrameReader(1000)
        reader.expectTyped()
        const got: Uint8Array[] = []
        for (const chunk of cut(concat(frames), cuts)) {
          reader.push(chunk)
          for (let next = reader.next(); next !== undefined; next = reader.next()) got.push(next)
        }
        expect(got.map(bytes => [...bytes])).toEqual(frames.map(bytes => [...bytes]))
      }),
    )
  })

  test('reads a packet without type first, and typed frames after it', () => {
    const reader = new FrameReader(100)
    reader.push(concat([int32(8), int32(7), queryFrame('x')]))
    expect([...(reader.next() ?? [])]).toEqual([0, 0, 0, 8, 0, 0, 0, 7])
    reader.expectTyped()
    expect(reader.next()).toEqual(queryFrame('x'))
    expect(reader.next()).toBeUndefined()
  })

  test('refuses a frame over the bound before its body has come', () => {
    const reader = new FrameReader(100)
    reader.expectTyped()
    reader.push(Uint8Array.of(0x51, 0, 0, 0, 101))
    expect(() => reader.next()).toThrow(ProtocolError)
  })

  test('refuses a length that does not cover itself', () => {
    const reader = new FrameReader(100)
    reader.expectTyped()
    reader.push(Uint8Array.of(0x51, 0, 0, 0, 3))
    expect(() => reader.next()).toThrow('invalid message length')
  })
})

test('spans finds each frame of a buffer', () => {
  const buffer = concat([queryFrame('a'), frame(0x53), queryFrame('bc')])
  expect([...spans(buffer)].map(({ type, start, end }) => [type, start, end])).toEqual([
    [0x51, 0, 7],
    [0x53, 7, 12],
    [0x51, 12, 20],
  ])
})

test('an error frame carries severity, code and message', () => {
  const text = new TextDecoder().decode(errorFrame('FATAL', '25P03', 'idle').subarray(5))
  expect(text.split('\0')).toEqual(['SFATAL', 'VFATAL', 'C25P03', 'Midle', '', ''])
})

test('a string without end is a protocol error', () => {
  expect(stringAt(cString('grüße'), 0)).toBe('grüße')
  expect(() => stringAt(Uint8Array.of(65, 66), 0)).toThrow(ProtocolError)
})

function cut(bytes: Uint8Array, lengths: number[]): Uint8Array[] {
  const chunks: Uint8Array[] = []
  let at = 0
  for (let i = 0; at < bytes.length; i++) {
    const length = (lengths[i % lengths.length] ?? 0) + 1
    chunks.push(bytes.subarray(at, at + length))
    at += length
  }
  return chunks
}
