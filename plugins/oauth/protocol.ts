import type { ErrorBody } from 'mneme/plugin'

/** A refusal as the protocol words it (RFC 6749, 5.2). */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'

  constructor(
    readonly code: string,
    message: string,
    readonly status: 400 | 401 = 400,
  ) {
    super(message)
  }
}

/** Nothing of these may be kept on the way. */
const HEADERS = { 'content-type': 'application/json', 'cache-control': 'no-store' }

export function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: HEADERS })
}

/** Answers with what `work` returns, or with the refusal that it throws. */
export async function answered(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    return json(error.status, { error: error.code, error_description: error.message })
  }
}

/** The gate refuses requests before the protocol sees them, as those that are too many. */
export function failureBody({ status_code: status, message }: ErrorBody) {
  const code = status >= 500 || status === 429 ? 'temporarily_unavailable' : 'invalid_request'
  return { error: code, error_description: message }
}

/** Reads a form as the protocol sends it: each parameter once. Throws invalid_request. */
export async function readForm(request: Request): Promise<Readonly<Record<string, string>>> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\b/i.test(type))
    throw new OAuthError('invalid_request', 'Send the parameters as application/x-www-form-urlencoded.')
  const entries = [...new URLSearchParams(await request.text())]
  const form = Object.fromEntries(entries)
  if (Object.keys(form).length < entries.length) throw new OAuthError('invalid_request', 'A parameter is given twice.')
  return form
}
