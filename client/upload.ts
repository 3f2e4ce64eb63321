import { createReadStream, openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Content } from './service.ts'

/** Adds a file to a form, to be read while it is sent: runtimes hold a form whole in memory, some of them twice. */
export async function uploadOf(fields: FormData, path: string, name: string): Promise<Content> {
  const { size } = await stat(path)
  // A runtime tells the type by the name, and the service knows a repeated request by it, too.
  const { type: fileType } = await openAsBlob(path)
  fields.set('file', new Blob([], { type: fileType }), name)
  const written = new Response(fields)
  // Bun forgets the type of a form that was read.
  const type = written.headers.get('content-type') ?? ''
  const form = Buffer.from(await written.arrayBuffer())
  // The form ends behind its empty file: a line break, and the boundary between dashes.
  const fileAt = form.lastIndexOf('\r\n--')
  async function* parts(): AsyncGenerator<Uint8Array> {
    yield form.subarray(0, fileAt)
    if (size > 0) yield* createReadStream(path, { end: size - 1 })
    yield form.subarray(fileAt)
  }
  return {
    headers: { 'Content-Type': type, 'Content-Length': String(form.byteLength + size) },
    body: () => streamOf(parts()),
  }
}

function streamOf(parts: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await parts.return(undefined)
    },
  })
}
