import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

/** Describes what the host of databases responds with, as one line of JSON. */
export type Hosted = { readonly url: string } | { readonly error: string }

/**
 * Opens the embedded database in `folder` in the process that listens on `socketPath`, for as long as this connection lives: a test
 * process that is killed leaves no database behind.
 * @throws Error with what the host says when it cannot open it
 */
export async function openHosted(socketPath: string, folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  const socket = createConnection(socketPath)
  socket.write(`${folder}\n`)
  const hosted: Hosted = JSON.parse(await firstLine(socket))
  if ('error' in hosted) throw new Error(hosted.error)
  socket.unref()
  return {
    url: hosted.url,
    async stop() {
      socket.ref()
      const closed = once(socket, 'close')
      socket.end()
      await closed
    },
  }
}

/** @throws Error when the other side ends or fails before a whole line has come */
export async function firstLine(socket: Socket): Promise<string> {
  const lines = createInterface({ input: socket })
  const failed = once(socket, 'error').then(([error]) => Promise.reject(error))
  const ended = once(lines, 'close').then(() =>
    Promise.reject(new Error('the connection ended before a line had come')),
  )
  const line = once(lines, 'line').then(([text]) => String(text))
  try {
    return await Promise.race([line, failed, ended])
  } finally {
    for (const lost of [failed, ended]) lost.catch(() => undefined)
    lines.close()
    socket.resume()
  }
}
