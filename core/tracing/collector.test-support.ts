import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as the collector received it. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly id: string
  /** Empty for the first of a trace. */
  readonly parentId: string
  readonly name: string
  readonly kind: number
  readonly attributes: Readonly<Record<string, string | number>>
  readonly failed: boolean
}

export interface Collector {
  readonly url: string
  readonly spans: ReceivedSpan[]
  /** The headers of the last request. */
  readonly headers: Record<string, unknown>
  /** All bytes that came, as text. */
  readonly text: () => string
  close(): Promise<void>
}

/** Takes traces as OTLP over HTTP in protobuf, as collectors do. */
export async function openCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = []
  const bodies: Buffer[] = []
  const headers: Record<string, unknown> = {}
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    bodies.push(body)
    Object.assign(headers, request.headers, { path: request.url })
    // The numbers are those of fields in opentelemetry-proto: resource_spans, scope_spans, spans.
    for (const resource of messages(body, 1)) {
      for (const scope of messages(resource, 2)) spans.push(...messages(scope, 2).map(spanOf))
    }
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    headers,
    text: () => Buffer.concat(bodies).toString('latin1'),
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}

function spanOf(span: Buffer): ReceivedSpan {
  const [status] = messages(span, 15)
  return {
    traceId: messages(span, 1)[0]?.toString('hex') ?? '',
    id: messages(span, 2)[0]?.toString('hex') ?? '',
    parentId: messages(span, 4)[0]?.toString('hex') ?? '',
    name: messages(span, 5)[0]?.toString() ?? '',
    kind: Number(fields(span).find(({ number }) => number === 6)?.value ?? 0),
    attributes: Object.fromEntries(
      messages(span, 9).map(pair => [
        messages(pair, 1)[0]?.toString() ?? '',
        attributeValue(messages(pair, 2)[0] ?? Buffer.alloc(0)),
      ]),
    ),
    failed: status !== undefined && fields(status).some(({ number, value }) => number === 3 && Number(value) === 2),
  }
}

function attributeValue(value: Buffer): string | number {
  const [field] = fields(value)
  return Buffer.isBuffer(field?.value) ? field.value.toString() : Number(field?.value ?? 0)
}

function messages(message: Buffer, number: number): Buffer[] {
  return fields(message).flatMap(field =>
    field.number === number && Buffer.isBuffer(field.value) ? [field.value] : [],
  )
}

interface Field {
  readonly number: number
  readonly value: Buffer | bigint
}

/** Reads the fields of a protobuf message: varints, 64-bit and 32-bit numbers, and bytes. */
function fields(message: Buffer): Field[] {
  const found: Field[] = []
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; at < message.length; shift += 7n) {
      const byte = message[at++] ?? 0
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) break
    }
    return value
  }
  const take = (length: number) => {
    at += length
    return message.subarray(at - length, at)
  }
  while (at < message.length) {
    const key = Number(varint())
    const number = key >> 3
    const wire = key & 7
    if (wire === 0) found.push({ number, value: varint() })
    else if (wire === 2) found.push({ number, value: take(Number(varint())) })
    else found.push({ number, value: take(wire === 1 ? 8 : 4) })
  }
  return found
}
