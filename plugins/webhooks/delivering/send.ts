import { Buffer } from 'node:buffer'
import {
  OutgoingError,
  type OutgoingHttp,
  type OutgoingOptions,
  type OutgoingResponse,
  type Secrets,
} from 'mneme/plugin'
import type { Webhook } from '../queries/webhooks.ts'
import { signingSecrets } from '../secrets.ts'
import { signatureHeaders } from '../signature.ts'
import type { AttemptOutcome, DeliveryMetrics } from './metrics.ts'

/** For one attempt, from the look-up to the last byte of the response. */
export const ATTEMPT_MS = 10_000

const RESPONSE_KEPT_BYTES = 2048
/** Bounds what is read for that, compressed or not. */
const RESPONSE_BYTES_MAX = 1_048_576

/** One attempt sends this. */
export interface Message {
  readonly deliveryId: string
  readonly body: string
  readonly webhook: Pick<Webhook, 'workspaceId' | 'id' | 'url' | 'secret' | 'previousSecret' | 'previousSecretUntil'>
}

/** An attempt came to this. It says nothing of the receiver where it is `interrupted`, as the process stops, or `busy`: with too many others. */
export interface AttemptResult {
  readonly outcome: AttemptOutcome
  readonly responseCode: number | null
  /** The first 2 KB of the response; null without one. */
  readonly responseBody: string | null
  /** Says why it failed, in a sentence for the owner of the webhook; null when it succeeded. */
  readonly error: string | null
  /** From the beginning of the look-up on, without the wait for other requests; 0 where there was no more than that. */
  readonly durationMs: number
}

/** Sends messages, each once. */
export interface Sender {
  /** Never throws for what the receiver, the network or the webhook's URL does. */
  send(message: Message, signal?: AbortSignal): Promise<AttemptResult>
}

export interface SenderParts {
  readonly outgoing: OutgoingHttp
  readonly secrets: Secrets
  readonly metrics: DeliveryMetrics
}

export function createSender({ outgoing, secrets, metrics }: SenderParts): Sender {
  return {
    async send(message, signal) {
      let startedAt: number | undefined
      const attempt = await attemptOf(outgoing, requestOf(message, secrets), {
        ...(signal ? { signal } : {}),
        holder: message.webhook.workspaceId,
        onTurn: () => (startedAt = performance.now()),
      })
      const durationMs = startedAt === undefined ? 0 : Math.round(performance.now() - startedAt)
      metrics.attempted(attempt.outcome, durationMs)
      return { ...attempt, durationMs }
    },
  }
}

interface SignedRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

function requestOf({ deliveryId, body, webhook }: Message, secrets: Secrets): SignedRequest {
  const now = new Date()
  const bytes = Buffer.from(body, 'utf8')
  const signed = { id: deliveryId, timestamp: Math.floor(now.getTime() / 1000), body: bytes }
  return {
    url: webhook.url,
    headers: { 'content-type': 'application/json', ...signatureHeaders(signed, signingSecrets(secrets, webhook, now)) },
    body: bytes,
  }
}

type Attempt = Omit<AttemptResult, 'durationMs'>

async function attemptOf(
  outgoing: OutgoingHttp,
  { url, headers, body }: SignedRequest,
  options: Pick<OutgoingOptions, 'signal' | 'holder' | 'onTurn'>,
): Promise<Attempt> {
  let responseCode: number | null = null
  const kept = new ResponseStart()
  try {
    const response = await outgoing.request(url, {
      method: 'POST',
      headers,
      body,
      timeoutMs: ATTEMPT_MS,
      bodyBytesMax: RESPONSE_BYTES_MAX,
      ...options,
    })
    responseCode = response.status
    await readResponse(response, kept)
    return answered(response.status, kept.text())
  } catch (error) {
    const responseBody = kept.text()
    const isLate = error instanceof OutgoingError && error.code === 'TIMED_OUT'
    // A receiver that has said what it thinks of the event has answered, whatever becomes of the body.
    if (responseCode !== null && !isLate) return answered(responseCode, responseBody)
    if (options.signal?.aborted)
      return { outcome: 'interrupted', responseCode, responseBody, error: 'The service stopped.' }
    if (!(error instanceof OutgoingError)) throw error
    return { outcome: outcomeOf(error), responseCode, responseBody, error: error.message }
  }
}

function answered(responseCode: number, responseBody: string | null): Attempt {
  const succeeded = responseCode >= 200 && responseCode < 300
  if (succeeded) return { outcome: 'succeeded', responseCode, responseBody, error: null }
  return { outcome: 'refused', responseCode, responseBody, error: refusalSentence(responseCode) }
}

function refusalSentence(status: number): string {
  const redirects = status >= 300 && status < 400
  return `The receiver answered with ${status}${redirects ? ', and redirects are not followed' : ''}.`
}

function outcomeOf({ code }: OutgoingError): AttemptOutcome {
  if (code === 'BUSY') return 'busy'
  if (code === 'STOPPING') return 'interrupted'
  if (code === 'TIMED_OUT') return 'timed_out'
  return code === 'TOO_LARGE' || code === 'INVALID_RESPONSE' ? 'invalid' : 'unreachable'
}

/** Keeps how a response begins. */
class ResponseStart {
  readonly #kept: Uint8Array[] = []
  #bytes: number | undefined

  /** There is more than is kept. */
  get isFull(): boolean {
    return this.#bytes !== undefined && this.#bytes > RESPONSE_KEPT_BYTES
  }

  add(chunk: Uint8Array): void {
    const before = this.#bytes ?? 0
    if (before < RESPONSE_KEPT_BYTES) this.#kept.push(chunk.subarray(0, RESPONSE_KEPT_BYTES - before))
    this.#bytes = before + chunk.byteLength
  }

  /** Null as long as there is no response. */
  text(): string | null {
    if (this.#bytes === undefined) return null
    // A character that was cut in two is left out; Postgres stores no NUL.
    return new TextDecoder().decode(Buffer.concat(this.#kept), { stream: this.isFull }).replaceAll('\0', '\ufffd')
  }
}

/** Reads the response as far as it is kept, which is part of the attempt. */
async function readResponse({ body }: OutgoingResponse, kept: ResponseStart): Promise<void> {
  kept.add(new Uint8Array())
  for await (const chunk of body) {
    kept.add(chunk)
    if (kept.isFull) return
  }
}
