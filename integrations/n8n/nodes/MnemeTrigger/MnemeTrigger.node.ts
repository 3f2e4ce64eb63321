import { createHmac, timingSafeEqual } from 'node:crypto'
import type {
  IDataObject,
  IHookFunctions,
  ILoadOptionsFunctions,
  INodePropertyOptions,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow'
import { request } from '../Mneme/request.ts'

const TOLERANCE_SECONDS = 300

export class MnemeTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Mneme Trigger',
    name: 'mnemeTrigger',
    icon: 'file:../Mneme/mneme.svg',
    group: ['trigger'],
    version: 1,
    description: 'Starts a workflow when something is remembered, changed or forgotten',
    defaults: { name: 'Mneme Trigger' },
    inputs: [],
    outputs: ['main'],
    credentials: [{ name: 'mnemeApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Event Names or IDs',
        name: 'events',
        type: 'multiOptions',
        typeOptions: { loadOptionsMethod: 'getEvents' },
        required: true,
        default: ['memory.created'],
        description:
          'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
      },
    ],
  }

  methods = {
    loadOptions: {
      async getEvents(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
        const { data } = await request(this, 'GET', '/v1/webhooks/events')
        return (data as IDataObject[]).map(({ event }) => ({ name: String(event), value: String(event) }))
      },
    },
  }

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { id } = this.getWorkflowStaticData('node')
        if (!id) return false
        const webhook = await request(this, 'GET', `/v1/webhooks/${id}`, undefined, ['WEBHOOK_NOT_FOUND'])
        const events = this.getNodeParameter('events') as string[]
        const isSame = webhook.url === this.getNodeWebhookUrl('default') && sorted(webhook.events) === sorted(events)
        if (!isSame) await remove(this)
        return isSame
      },
      async create(this: IHookFunctions): Promise<boolean> {
        const url = this.getNodeWebhookUrl('default')
        const events = this.getNodeParameter('events') as string[]
        const description = `n8n: ${this.getWorkflow().name ?? this.getNode().name}`.slice(0, 500)
        const { id, secret } = await request(this, 'POST', '/v1/webhooks', { url, events, description })
        Object.assign(this.getWorkflowStaticData('node'), { id, secret })
        return true
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        await remove(this)
        return true
      },
    },
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { rawBody } = this.getRequestObject()
    const { secret } = this.getWorkflowStaticData('node')
    if (!isSigned(rawBody, this.getHeaderData(), String(secret ?? ''))) {
      this.getResponseObject().status(401).send('The signature is none of this webhook')
      return { noWebhookResponse: true }
    }
    return { workflowData: [[{ json: JSON.parse(rawBody.toString('utf8')) }]] }
  }
}

/** A webhook that is gone already is as it should be. */
async function remove(hook: IHookFunctions): Promise<void> {
  const known = hook.getWorkflowStaticData('node')
  if (known.id) await request(hook, 'DELETE', `/v1/webhooks/${known.id}`, undefined, ['WEBHOOK_NOT_FOUND'])
  delete known.id
  delete known.secret
}

const sorted = (events: unknown) => [...(Array.isArray(events) ? events : [])].sort().join()

/** Checks a signature of Standard Webhooks; after a rotation there is one of each secret. */
function isSigned(body: Buffer, headers: IDataObject, secret: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': sentAt, 'webhook-signature': signatures } = headers
  const isRecent = Math.abs(Date.now() / 1000 - Number(sentAt)) <= TOLERANCE_SECONDS
  if (secret === '' || !isRecent) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const wanted = createHmac('sha256', key).update(`${id}.${sentAt}.`).update(body).digest()
  return String(signatures)
    .split(' ')
    .some(one => {
      const given = Buffer.from(one.replace(/^v1,/, ''), 'base64')
      return given.length === wanted.length && timingSafeEqual(given, wanted)
    })
}
