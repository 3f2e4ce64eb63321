import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { type Internet, openInternet } from '../../core/outgoing/internet.test-support.ts'
import type { Client, Json } from '../../test/support/client.ts'
import { oncePerRun } from '../../test/support/closing.ts'
import { ownDatabaseUrl } from '../../test/support/database.ts'
import { startService, type TestService } from '../../test/support/service.ts'
import { until } from '../../test/support/wait.ts'

export const PATH = '/v1/webhooks'

export interface World {
  readonly service: TestService
  readonly internet: Internet
}

/** A service whose outgoing requests stay in this process. On a database of its own: other services would take its jobs. */
export function world(): Promise<World> {
  return oncePerRun('webhooks', async () => {
    const internet = openInternet()
    const service = await startService({}, { url: await ownDatabaseUrl(), network: internet.network })
    return { service, internet }
  })
}

/** A request that a receiver got. */
export interface Received {
  readonly body: Json
  readonly text: string
  readonly headers: IncomingHttpHeaders
}

export interface TestReceiver {
  readonly url: string
  readonly received: Received[]
  /** Bodies of events of a kind, in the order in which they came. */
  events(kind: string): Json[]
  /** Resolves with the first `count` requests. */
  got(count: number): Promise<readonly Received[]>
}

let hosts = 0

/** A receiver at a host of its own. It answers 200 unless told otherwise. */
export async function receiver(
  { internet }: Pick<World, 'internet'>,
  answer: RequestListener = (_, response) => response.end('ok'),
): Promise<TestReceiver> {
  const n = ++hosts
  const name = `hooks-${n}.test`
  const address = `93.184.${100 + (n >> 8)}.${n & 255}`
  const received: Received[] = []
  internet.names.set(name, [address])
  await internet.serve(address, (request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', chunk => {
      text += chunk
    })
    request.on('end', () => {
      received.push({ text, body: JSON.parse(text), headers: request.headers })
      answer(request, response)
    })
  })
  return {
    url: `http://${name}/hook`,
    received,
    events: kind => received.filter(({ body }) => body.event === kind).map(({ body }) => body),
    async got(count) {
      await until(`${count} requests came`, async () => received.length >= count)
      return received
    },
  }
}

/** Creates a webhook and returns the response's body. */
export async function createWebhook(client: Client, url: string, fields: object = {}): Promise<Json> {
  const { status, body } = await client.post(PATH, { url, events: ['*'], ...fields })
  if (status !== 201) throw new Error(`the webhook was answered with ${status}: ${JSON.stringify(body)}`)
  return body
}

/** Waits until a webhook has as many deliveries in a state, and returns them. */
export function deliveriesIn(client: Client, webhookId: string, status: string, count = 1): Promise<Json[]> {
  return until(`${count} deliveries are ${status}`, async () => {
    const { body } = await client.get(`${PATH}/${webhookId}/deliveries`, { query: { status, page_size: 100 } })
    return body.data.length >= count ? body.data : undefined
  })
}

/** Throws unless the request is signed with the secret in both ways. */
export function verify({ text, headers }: Received, secret: string): void {
  new StandardWebhook(secret).verify(text, headers as Record<string, string>)
  const expected = `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`
  if (headers['x-webhook-signature'] !== expected) throw new Error('X-Webhook-Signature is another one')
}
