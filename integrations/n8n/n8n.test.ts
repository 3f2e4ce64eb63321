import { beforeAll, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Mneme } from '@mneme/client'
import type {
  IDataObject,
  IExecuteFunctions,
  IHookFunctions,
  IHttpRequestOptions,
  ILoadOptionsFunctions,
  INodeTypeDescription,
  IWebhookFunctions,
} from 'n8n-workflow'
import { onEnd } from '../../test/support/closing.ts'
import { serveHttp } from '../../test/support/http-server.ts'
import { preparedStore, type ServerProcess, startServer } from '../../test/support/process.ts'
import { until } from '../../test/support/wait.ts'
import type { MnemeApi } from './credentials/MnemeApi.credentials.ts'
import type { Mneme as MnemeNode } from './nodes/Mneme/Mneme.node.ts'
import type { MnemeTrigger } from './nodes/MnemeTrigger/MnemeTrigger.node.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))

let server: ServerProcess
let mneme: Mneme
let credential: MnemeApi
let node: MnemeNode
let trigger: MnemeTrigger

beforeAll(async () => {
  server = await startServer({ ...(await preparedStore()), ALLOW_PRIVATE_NETWORKS: 'true' })
  mneme = new Mneme({ url: server.url, key: server.apiKey })
  const made = install()
  credential = made.MnemeApi as MnemeApi
  node = made.Mneme as MnemeNode
  trigger = made.MnemeTrigger as MnemeTrigger
})

/** Unpacks what npm packs, and makes what its manifest names as n8n does: an object of the class that a file is named after. */
function install(): Record<string, unknown> {
  mkdirSync(join(HERE, '../../tmp'), { recursive: true })
  const folder = mkdtempSync(join(HERE, '../../tmp/n8n-'))
  onEnd(async () => rmSync(folder, { recursive: true, force: true }))
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: HERE })
  execFileSync('tar', ['-xzf', 'n8n-nodes-mneme-0.1.0.tgz'], { cwd: folder })
  const { n8n } = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8'))
  const load = createRequire(join(folder, 'package/package.json'))
  const paths: string[] = [...n8n.credentials, ...n8n.nodes]
  const made = paths.map(path => {
    const [name = ''] = basename(path).split('.')
    const one = new (load(`./${path}`)[name])()
    const icon: string = one.icon ?? one.description.icon
    expect([path, existsSync(join(folder, 'package', path, '..', icon.replace('file:', '')))]).toEqual([path, true])
    return [name, one] as const
  })
  return Object.fromEntries(made)
}

/** Stands for n8n, which gives a node parameters, credentials, and requests that carry these as the credential says. */
function context(parameters: IDataObject, key = server.apiKey) {
  const credentials: IDataObject = { url: `${server.url}/`, apiKey: key }
  return {
    getNode: () => ({ name: 'Mneme', type: 'mneme', typeVersion: 1, parameters: {} }),
    getNodeParameter: (name: string) => parameters[name],
    getCredentials: async () => credentials,
    helpers: {
      async httpRequestWithAuthentication(name: string, { baseURL, url, method = 'GET', body }: IHttpRequestOptions) {
        expect(name).toBe(credential.name)
        const filled = (value: string) =>
          value.replace(/^=\{\{\$credentials\.(\w+)\}\}$/, (_, field) => String(credentials[field]))
        const headers = Object.entries(credential.authenticate.properties.headers ?? {})
        const response = await fetch(`${baseURL}${url}`, {
          method,
          headers: {
            'content-type': 'application/json',
            ...Object.fromEntries(headers.map(([n, v]) => [n, filled(String(v))])),
          },
          ...(body ? { body: JSON.stringify(body) } : {}),
        })
        const text = await response.text()
        return { statusCode: response.status, body: text === '' ? undefined : JSON.parse(text) }
      },
    },
  }
}

const DEFAULTS: IDataObject = { userId: '', more: '{}', limit: 10 }

async function execute(parameters: IDataObject, { items = 1, goesOn = false, key = server.apiKey } = {}) {
  const given = {
    ...context({ ...DEFAULTS, ...parameters }, key),
    getInputData: () => Array.from({ length: items }, () => ({ json: {} })),
    continueOnFail: () => goesOn,
  }
  const [results = []] = await node.execute.call(given as unknown as IExecuteFunctions)
  return results
}

test('adds a memory, and takes one that is there already for done', async () => {
  const given = {
    operation: 'add',
    memory: 'Ada drinks green tea.',
    userId: 'ada',
    more: '{"metadata": {"from": "n8n"}}',
  }
  const [stored] = await execute(given)
  expect(stored).toMatchObject({ json: { memory: 'Ada drinks green tea.', stored: true }, pairedItem: { item: 0 } })
  expect(await mneme.get(String(stored?.json.id))).toMatchObject({ user_id: 'ada', metadata: { from: 'n8n' } })
  expect((await execute(given))[0]?.json).toMatchObject({
    stored: false,
    message: expect.stringContaining('this content already'),
  })
})

test('searches and gives context, an item a result', async () => {
  await mneme.waitUntilCompleted(await mneme.add({ memory: 'Bo keeps bees on the roof.', user_id: 'bo' }))
  const found = await execute({ operation: 'search', query: 'Where are the bees?', userId: 'bo' }, { items: 2 })
  expect(found.map(({ json, pairedItem }) => [json.memory, pairedItem])).toEqual([
    ['Bo keeps bees on the roof.', { item: 0 }],
    ['Bo keeps bees on the roof.', { item: 1 }],
  ])
  const none = await execute({ operation: 'search', query: 'bees', more: { filter: { place: 'garden' } } })
  expect(none).toEqual([])
  const [known] = await execute({ operation: 'context', query: 'Tell me about bees.', userId: 'bo' })
  expect(known?.json.context).toContain('Bo keeps bees on the roof.')
})

test('a refusal says why, and ends the workflow unless it is to go on', async () => {
  await expect(execute({ operation: 'search', query: ' ' })).rejects.toThrow('query')
  await expect(execute({ operation: 'search', query: 'x' }, { key: 'mn_live_wrong' })).rejects.toMatchObject({
    httpCode: '401',
  })
  const [error] = await execute({ operation: 'add', memory: '', more: 'no JSON' }, { goesOn: true })
  expect(error?.json).toEqual({ error: expect.stringContaining('JSON') })
})

test('the credential is tested by a request that its key has to pass', async () => {
  const { baseURL, url, qs } = credential.test.request
  expect([baseURL, url, qs]).toEqual(['={{$credentials.url}}', '/v1/memories', { page_size: 1 }])
})

test('a trigger has a webhook while its workflow is active, and starts it by what is signed alone', async () => {
  const statics: IDataObject = {}
  const parameters: IDataObject = { events: ['memory.created'] }
  const deliveries: { readonly body: Buffer; readonly headers: IDataObject }[] = []
  const { origin, close } = await serveHttp(async request => {
    const body = Buffer.from(await request.arrayBuffer())
    deliveries.push({ body, headers: Object.fromEntries(request.headers) })
    return new Response('ok')
  })
  onEnd(async () => close())
  const hook = {
    ...context(parameters),
    getWorkflowStaticData: () => statics,
    getNodeWebhookUrl: () => `${origin}/webhook/1`,
    getWorkflow: () => ({ name: 'Post office' }),
  } as unknown as IHookFunctions
  const { checkExists, create, delete: remove } = trigger.webhookMethods.default
  const receive = async ({ body, headers }: { readonly body: Buffer; readonly headers: IDataObject }) => {
    const responses: [number, string][] = []
    const response = { status: (code: number) => ({ send: (text: string) => responses.push([code, text]) }) }
    const received = {
      getRequestObject: () => ({ rawBody: body }),
      getHeaderData: () => headers,
      getResponseObject: () => response,
      getWorkflowStaticData: () => statics,
    } as unknown as IWebhookFunctions
    return { ...(await trigger.webhook.call(received)), responses }
  }

  const offered = await trigger.methods.loadOptions.getEvents.call(hook as unknown as ILoadOptionsFunctions)
  expect(offered.map(({ value }) => value)).toContain('memory.deleted')
  expect(await checkExists.call(hook)).toBe(false)
  expect(await create.call(hook)).toBe(true)
  expect(await checkExists.call(hook)).toBe(true)
  expect((await mneme.webhooks.list()).data).toMatchObject([
    { url: `${origin}/webhook/1`, description: 'n8n: Post office' },
  ])

  await mneme.add({ memory: 'Cy collects stamps.', user_id: 'cy' })
  const delivery = await until('it is delivered', async () => deliveries[0])
  const started = await receive(delivery)
  expect(started.workflowData?.[0]?.[0]?.json).toMatchObject({
    event: 'memory.created',
    data: { memory: 'Cy collects stamps.' },
  })
  const forged = Buffer.from(delivery.body.toString().replace('stamps', 'coins'))
  const late = { ...delivery.headers, 'webhook-timestamp': '1780300500' }
  for (const wrong of [
    { ...delivery, body: forged },
    { ...delivery, headers: late },
    { ...delivery, headers: {} },
  ]) {
    expect(await receive(wrong)).toMatchObject({ noWebhookResponse: true, responses: [[401, expect.any(String)]] })
  }

  parameters.events = ['memory.deleted']
  expect(await checkExists.call(hook)).toBe(false)
  expect((await mneme.webhooks.list()).total).toBe(0)
  await create.call(hook)
  await mneme.webhooks.delete(String(statics.id))
  expect(await remove.call(hook)).toBe(true)
  expect([(await mneme.webhooks.list()).total, statics]).toEqual([0, {}])
})

test('nodes are described as n8n wants them', () => {
  for (const { description } of [node, trigger] as { readonly description: INodeTypeDescription }[]) {
    expect(description.credentials).toEqual([{ name: credential.name, required: true }])
    const names = description.properties.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { name, default: fallback } of description.properties)
      expect([name, fallback]).not.toEqual([name, undefined])
  }
})
