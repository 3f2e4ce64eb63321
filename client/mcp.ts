import { randomUUID } from 'node:crypto'
import { messageOf, Service, type ServiceOptions } from './service.ts'
import type { Terminal } from './terminal.ts'

export interface BridgeOptions extends ServiceOptions {
  /** The memory is this user's where a call names none. */
  readonly user: string | undefined
  readonly workspace: string | undefined
}

interface Message {
  readonly id?: unknown
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

const VERSION = 'io.modelcontextprotocol/protocolVersion'

/** The codes of JSON-RPC for what is no message, and for faults beside the protocol. */
const NO_MESSAGE = -32700
const FAULT = -32000

/**
 * Serves the Model Context Protocol by standard input and output, one message a line, and has the service answer each at its endpoint. Ends with
 * the input, once all that came is answered. The service keeps no session, so nothing has to be said to it at the end.
 */
export async function runMcp(terminal: Terminal, { user, workspace, ...options }: BridgeOptions): Promise<void> {
  const service = new Service(options)
  const query = new URLSearchParams()
  if (user !== undefined) query.set('user_id', user)
  if (workspace !== undefined) query.set('workspace_id', workspace)
  // The older revisions agree on this in a handshake; the newer say it with each message.
  let agreed: string | undefined
  const reply = (message: object) => terminal.print(JSON.stringify({ jsonrpc: '2.0', ...message }))

  async function answer(line: string): Promise<void> {
    const message = messageIn(line)
    if (!message) return reply({ id: null, error: { code: NO_MESSAGE, message: 'Parse error' } })
    const { id, method } = message
    // The client answers nothing that the service asks, as it asks nothing.
    if (method === '') return
    try {
      const response = await service.send('POST', `/v1/mcp?${query}`, {
        headers: headersOf(message, agreed),
        body: line,
      })
      const text = await response.text()
      if (text === '') return
      const body: unknown = JSON.parse(text)
      if (method === 'initialize') agreed = versionIn(body)
      // Its JSON has no line breaks, which would end the message.
      terminal.print(JSON.stringify(body))
    } catch (error) {
      if (id === undefined) return terminal.warn(`mneme: ${messageOf(error)}`)
      reply({ id, error: { code: FAULT, message: messageOf(error) } })
    }
  }

  const underWay = new Set<Promise<void>>()
  for await (const line of terminal.lines()) {
    if (line.trim() === '') continue
    const work = answer(line).finally(() => underWay.delete(work))
    underWay.add(work)
  }
  await Promise.all(underWay)
}

function messageIn(line: string): Message | undefined {
  try {
    const read: unknown = JSON.parse(line)
    if (typeof read !== 'object' || read === null || Array.isArray(read)) return undefined
    const { id, method = '', params }: Record<string, unknown> = { ...read }
    return { id, method: String(method), params: { ...Object(params) } }
  } catch {
    return undefined
  }
}

/** The protocol has headers where it is spoken over HTTP. The key has a call that is sent again carried out once. */
function headersOf({ method, params }: Message, agreed: string | undefined): Record<string, string> {
  const version = Object(params._meta)[VERSION] ?? agreed
  const name = params.name ?? params.uri
  return {
    'Content-Type': 'application/json',
    'Idempotency-Key': randomUUID(),
    'Mcp-Method': method,
    ...(typeof version === 'string' ? { 'Mcp-Protocol-Version': version } : {}),
    ...(typeof name === 'string' && /^[\x20-\x7e]+$/.test(name) ? { 'Mcp-Name': name } : {}),
  }
}

function versionIn(body: unknown): string | undefined {
  const { protocolVersion } = Object(Object(body).result)
  return typeof protocolVersion === 'string' ? protocolVersion : undefined
}
