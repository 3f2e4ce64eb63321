/**
 * Opens embedded databases for the test files of a run. PGlite's WebAssembly is compiled once here and stays optimized from file to file; a
 * process of a file that opened its database itself would start with neither.
 *
 *   bun test/runner/database-host.ts SOCKET
 *
 * A client sends the path of a folder as a line, and reads a line of JSON; the database is its own until it ends the connection.
 */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { type EmbeddedPostgres, startEmbedded } from 'served-pglite'
import { firstLine, type Hosted } from '../kit/hosted-database.ts'

const [, , socketPath = ''] = process.argv
const server = createServer({ allowHalfOpen: true }, socket => void serve(socket))
server.listen(socketPath, () => console.log('ready'))

async function serve(socket: Socket): Promise<void> {
  // A client that is killed resets the connection, which closes it.
  socket.on('error', () => undefined)
  const left = Promise.race([once(socket, 'end'), once(socket, 'close')])
  // It may be reset before anyone waits for that.
  left.catch(() => undefined)
  const say = (hosted: Hosted) => void socket.write(`${JSON.stringify(hosted)}\n`)
  let database: EmbeddedPostgres | undefined
  try {
    database = await startEmbedded({ folder: await firstLine(socket) })
    say({ url: database.url })
    await left
  } catch (error) {
    say({ error: error instanceof Error ? error.message : String(error) })
  } finally {
    await database?.stop()
    socket.end()
  }
}
