import type { Database, NewEvent } from 'mneme/plugin'
import { Registry } from 'prom-client'
import { createJobQueue } from '../../../core/jobs/queue.ts'
import { createLog } from '../../../core/log.ts'
import { testClock } from '../../../test/support/jobs.ts'
import { idleService, type TestAccount } from '../../../test/support/service.ts'
import { createWebhook, PATH } from '../world.test-support.ts'
import { DeliveryDispatcher } from './dispatcher.ts'
import { createDeliveryMetrics } from './metrics.ts'
import { openQueue } from './queue.ts'
import type { AttemptResult, Message, Sender } from './send.ts'

export const ORIGIN = 'http://93.184.216.34'
const URL = `${ORIGIN}/hook`

export const TAKEN: AttemptResult = {
  outcome: 'succeeded',
  responseCode: 200,
  responseBody: 'ok',
  error: null,
  durationMs: 7,
}
export const REFUSED: AttemptResult = {
  outcome: 'refused',
  responseCode: 503,
  responseBody: '',
  error: 'No.',
  durationMs: 7,
}
/** The process stops. */
export const INTERRUPTED: AttemptResult = { ...REFUSED, outcome: 'interrupted', responseCode: null, error: null }
/** Too many other requests are under way. */
export const BUSY: AttemptResult = { ...INTERRUPTED, outcome: 'busy', durationMs: 0 }

/**
 * A process that attempts deliveries at times of the test's, to receivers that answer as `answer` says. The service's own dispatcher
 * never runs, as it runs no jobs.
 */
export async function dispatching({ random = 0.5, database }: { random?: number; database?: Database } = {}) {
  const registry = new Registry()
  // The database stamps deliveries by its own clock, which this one is ahead of however slow the machine is.
  const clock = testClock({ now: new Date(Date.now() + 60_000), random })
  const sent: Message[] = []
  const told: NewEvent[] = []
  const world = { answer: (_: Message): AttemptResult | Promise<AttemptResult> => REFUSED }
  const sender: Sender = {
    async send(message) {
      sent.push(message)
      return world.answer(message)
    },
  }
  const dispatcher = new DeliveryDispatcher({
    database: database ?? (await idleService()).database,
    queue: openQueue({ clock }),
    sender,
    events: { kinds: [], publish: async (_, events) => void told.push(...events) },
    jobs: createJobQueue(),
    metrics: createDeliveryMetrics(registry, () => 0),
    log: createLog('silent'),
    clock,
  })
  const run = async (account: TestAccount) => {
    dispatcher.wake(account.workspaceId)
    await dispatcher.idle()
  }
  return { clock, sent, told, world, dispatcher, run, gaveUp: () => gaveUp(registry) }
}

/** Reads from the metric how many deliveries have failed for good. */
export async function gaveUp(registry: Registry): Promise<number | undefined> {
  const metric = await registry.getSingleMetric('mneme_webhook_deliveries_exhausted_total')?.get()
  return metric?.values[0]?.value
}

/** The kind and the memory of a message. */
export function gist({ body }: Message): string {
  const { event, data } = JSON.parse(body)
  return `${event} ${data.memory}`
}

export const remember = ({ client }: TestAccount, memory: string) => client.post('/v1/memories', { memory })

/** The newest delivery of a webhook. */
export async function newest({ client }: TestAccount, webhookId: string) {
  const { data } = (await client.get(`${PATH}/${webhookId}/deliveries`)).body
  return data[0]
}

export async function startedWith(events: string[] = ['memory.created']) {
  const account = await (await idleService()).account()
  const webhook = await createWebhook(account.client, URL, { events })
  return { account, webhook }
}
