import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Socket } from 'node:net'
import { openConnection } from './connection.ts'
import { type Internet, openInternet, PUBLIC, PUBLIC_TOO } from './internet.test-support.ts'
import { targetOf } from './target.ts'

let internet: Internet
beforeEach(() => {
  internet = openInternet()
})
afterEach(() => internet.reset())

test('an address that hangs delays the next one by a pause only, and its connection is closed', async () => {
  const silent = Promise.withResolvers<Socket>()
  const gone = Promise.withResolvers<void>()
  await internet.serveRaw(
    PUBLIC,
    socket => {
      socket.resume().once('close', gone.resolve)
      silent.resolve(socket)
    },
    443,
  )
  await internet.serve(PUBLIC_TOO, (_, response) => response.end(), { certificate: 'server' })
  const signal = new AbortController().signal
  const { network } = internet
  // The pause ends when the first connection is open and waits for TLS.
  const socket = await openConnection(targetOf('https://secure.test/'), [PUBLIC, PUBLIC_TOO], {
    network,
    signal,
    pause: () => silent.promise,
  })
  await gone.promise
  expect(internet.reached).toEqual([PUBLIC, PUBLIC_TOO])
  socket.destroy()
})

test('no further address is tried once one has answered', async () => {
  await internet.serve(PUBLIC, (_, response) => response.end())
  const { network } = internet
  const pauses: AbortSignal[] = []
  const pause = (signal: AbortSignal) => {
    pauses.push(signal)
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }
  const target = targetOf('http://public.test/')
  const socket = await openConnection(target, [PUBLIC, PUBLIC_TOO], {
    network,
    signal: new AbortController().signal,
    pause,
  })
  expect(pauses.map(({ aborted }) => aborted)).toEqual([true])
  expect(internet.reached).toEqual([PUBLIC])
  socket.destroy()
})
