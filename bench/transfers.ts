/**
 * Memory while 1 GB goes up to a test route, and down from one, on Bun and on Deno: resident memory of the server process,
 * looked at ten times a second, against that at rest after a warm-up of 64 MB each way. No database is involved.
 *
 *   bun bench/transfers.ts
 */
import { GB, MB } from '../core/http/sizes.ts'
import { closeAll } from '../test/support/closing.ts'
import { RUNTIMES, startTransfers, type TransferServer } from '../test/transfers/start.ts'
import { report } from './support/measure.ts'
import { watchMemory } from './support/resident.ts'

const BLOCK = new Uint8Array(MB).fill(0x61)
const BOUNDARY = 'bench-boundary'

for (const runtime of RUNTIMES) {
  const server = await startTransfers(runtime)
  await formUpload(server, 64 * MB)
  await byteUpload(server, 64 * MB)
  await download(server, 64 * MB)
  const target = runtime === 'bun' ? 'at most 50' : ''
  for (const [name, work] of Object.entries({ 'form up': formUpload, 'bytes up': byteUpload, down: download })) {
    const { grownMb, seconds } = await watchMemory(server.pid, () => work(server, GB))
    report(`${runtime}: 1 GB ${name}, memory grows by`, grownMb, 'MB', target)
    report(`${runtime}: 1 GB ${name}`, GB / MB / seconds, 'MB/s')
  }
}
await closeAll()

async function formUpload({ url }: TransferServer, size: number): Promise<void> {
  const before = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="title"\r\n\r\nx\r\n--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`
  const body = pieces(size, before, `\r\n--${BOUNDARY}--\r\n`)
  await upload(`${url}/v1/form-stream`, body, `multipart/form-data; boundary=${BOUNDARY}`)
}

async function byteUpload({ url }: TransferServer, size: number): Promise<void> {
  await upload(`${url}/v1/bytes`, pieces(size), 'application/octet-stream')
}

async function upload(address: string, body: ReadableStream<Uint8Array>, type: string): Promise<void> {
  const headers = { 'x-api-key': 'owner', 'content-type': type }
  const response = await fetch(address, { method: 'POST', body, headers })
  if (response.status !== 201) throw new Error(`${address} responded ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
}

function pieces(size: number, before = '', after = ''): ReadableStream<Uint8Array> {
  let sent = -1
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (sent < 0) controller.enqueue(new TextEncoder().encode(before || 'a'))
        else if (sent * MB < size) controller.enqueue(BLOCK)
        else {
          if (after) controller.enqueue(new TextEncoder().encode(after))
          controller.close()
        }
        sent++
      },
    },
    { highWaterMark: 0 },
  )
}

async function download({ url }: TransferServer, size: number): Promise<void> {
  const response = await fetch(`${url}/v1/download/${size}`, { headers: { 'x-api-key': 'owner' } })
  let received = 0
  for await (const chunk of response.body ?? []) received += chunk.length
  if (received !== size) throw new Error(`${received} bytes came instead of ${size}`)
}
