import { MnemeError } from './errors.ts'

export interface WebhookEvent {
  /** `memory.created` and the like. */
  readonly event: string
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
}

const TOLERANCE_SECONDS = 300

/**
 * Reads a delivery of a webhook, once it is sure that the service sent it, and lately.
 * @param body as it came, byte for byte
 * @param headers those of the request: `Headers`, or an object as Node's `request.headers`
 * @throws MnemeError with the code `NOT_SIGNED`
 */
export async function verifyWebhook(
  body: string,
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>,
  secret: string,
): Promise<WebhookEvent> {
  const header = (name: string) => String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? '')
  const [id, sent] = [header('webhook-id'), header('webhook-timestamp')]
  const key = await crypto.subtle.importKey(
    'raw',
    Uint8Array.from(atob(secret.replace(/^whsec_/, '')), letter => letter.charCodeAt(0)),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  const signed = new TextEncoder().encode(`${id}.${sent}.${body}`)
  // After a rotation there is one of each secret.
  for (const signature of header('webhook-signature').split(' ')) {
    const bytes = decode(signature.replace(/^v1,/, ''))
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) {
      if (Math.abs(Date.now() / 1000 - Number(sent)) <= TOLERANCE_SECONDS) return JSON.parse(body)
      throw new MnemeError(`The delivery is of another time: ${sent}`, { code: 'NOT_SIGNED' })
    }
  }
  throw new MnemeError('The signature is none of this secret', { code: 'NOT_SIGNED' })
}

function decode(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}
