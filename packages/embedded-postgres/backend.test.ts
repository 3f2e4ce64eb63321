import { expect, test } from 'bun:test'
import { Backend, type PostgresModule } from './backend.ts'

/**
 * Makes a module whose backend replies to every message with the bytes of `reply`, written in pieces of at most 8 kB.
 */
function replying(reply: () => Uint8Array): PostgresModule {
  const memory = new Uint8Array(16_384)
  const callbacks: ((pointer: number, length: number) => number)[] = []
  const ignore = () => undefined
  return {
    HEAPU8: memory,
    addFunction: callback => callbacks.push(callback) - 1,
    stackSave: () => 0,
    stackRestore: ignore,
    _pgl_set_rw_cbs: ignore,
    _SetUserIdAndSecContext: ignore,
    _pgl_pq_flush: ignore,
    _pq_buffer_remaining_data: () => 0,
    _PostgresMainLongJmp: ignore,
    _PostgresSendReadyForQueryIfNecessary: ignore,
    _PostgresMainLoopOnce() {
      const [read, write] = callbacks
      read?.(8192, 8192)
      const bytes = reply()
      for (let from = 0; from < bytes.length; from += 8192) {
        const piece = bytes.subarray(from, from + 8192)
        memory.set(piece)
        write?.(0, piece.length)
      }
    },
  }
}

const message = Uint8Array.of(1)

function numbered(length: number, first: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => index + first)
}

test('a reply larger than the room that is kept for replies comes whole', () => {
  const reply = numbered(1_000_001, 3)
  const backend = new Backend(
    replying(() => reply),
    2_000_000,
  )
  expect(backend.execute([message])).toEqual(reply)
})

test('a reply is left alone by the next ones', () => {
  let first = 0
  const backend = new Backend(
    replying(() => numbered(10_000, first++)),
    1_000_000,
  )
  const one = backend.execute([message])
  const two = backend.execute([message])
  expect(one).toEqual(numbered(10_000, 0))
  expect(two).toEqual(numbered(10_000, 1))
})

test('a reply over the limit is thrown away, and the next one comes whole', () => {
  let length = 500_000
  const backend = new Backend(
    replying(() => numbered(length, 0)),
    400_000,
  )
  expect(backend.execute([message])).toBeUndefined()
  length = 400_000
  expect(backend.execute([message])).toEqual(numbered(400_000, 0))
})
