import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'

/** The form of a request. Its body is made anew for each try, since a stream is read once. */
export interface Upload {
  readonly headers: Readonly<Record<string, string>>
  readonly body: () => ReadableStream<Uint8Array>
}

/** Adds a file to a form, to be read while it is sent: runtimes hold a form whole in memory, some of them twice. */
export async function uploadOf(fields: FormData, path: string, name: string): Promise<Upload> {
  const { size } = await stat(path)
  fields.set('file', new Blob([]), name)
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
