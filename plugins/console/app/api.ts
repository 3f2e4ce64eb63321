import { chosenWorkspace, ROOT } from './place.ts'

export { chooseWorkspace, chosenWorkspace } from './place.ts'

/** An error response of the API, or a request that got none. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: string | undefined
  readonly details: readonly FieldFault[]

  /** @param status 0 where there was no response */
  constructor(
    readonly status: number,
    { message, error_code, details = [] }: ErrorBody,
  ) {
    super(message ?? `The service answered with ${status}.`)
    this.code = error_code
    this.details = details
  }
}

/** Tells what is wrong with a field of a request. */
export type FieldFault = { path: string; message: string }

type ErrorBody = { message?: string; error_code?: string; details?: readonly FieldFault[] }

/** Its 401 means that the password is wrong. */
export const SIGN_IN = '/v1/auth/sign-in/email'

/** A read is sent so often where the service is busy, each time after at most so many milliseconds. */
const TRIES_MAX = 3
const WAIT_MS_MAX = 5000

let leave: () => void = () => undefined

/** @param listener called when the session has ended */
export function onSignedOut(listener: () => void): void {
  leave = listener
}

export interface CallOptions {
  /** Members that are undefined, null or empty are left out. */
  readonly query?: Record<string, unknown>
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as a form, in place of a body. */
  readonly form?: FormData
  /** Gets the share of the form that is sent by now. */
  readonly onProgress?: (share: number) => void
  /** Confirms what cannot be undone. */
  readonly password?: string | undefined
  /** The request is for no workspace. */
  readonly everywhere?: boolean
}

/**
 * Calls the API as the account that is signed in, in the chosen workspace. A read that a busy service refuses is sent again.
 *
 * @param path without the workspace: `/v1/memories`
 * @returns the body of the response; undefined where it has none
 * @throws {ApiError}
 */
export async function call<Body = never>(method: string, path: string, options: CallOptions = {}): Promise<Body> {
  const { query = {}, body, form, onProgress, password, everywhere = false } = options
  const headers: Record<string, string> = { accept: 'application/json' }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (password !== undefined) headers['x-confirm-password'] = bytesOf(password)
  const address = addressOf(path, everywhere ? query : { workspace_id: chosenWorkspace(), ...query })
  const content = form ?? (body === undefined ? null : JSON.stringify(body))
  const sending =
    form && onProgress
      ? sendWatched(address, form, onProgress)
      : fetchPatiently(address, { method, headers, body: content })
  const response = await sending.catch(() => {
    const reason = form ? 'A file cannot be read, or the service cannot be reached.' : 'The service cannot be reached.'
    throw new ApiError(0, { message: reason })
  })
  const text = await response.text()
  const read = text === '' ? undefined : readJson(text)
  if (response.ok) return read
  const hasEnded = response.status === 401 && path !== SIGN_IN
  if (hasEnded) leave()
  throw new ApiError(response.status, { ...read, ...(hasEnded ? ENDED : PEOPLE[read?.error_code ?? '']) })
}

/** The API speaks to programs of keys and headers, which people at the console do not see. */
const ENDED = { message: 'The session had ended. Sign in, and try again.' }
const PEOPLE: Readonly<Record<string, ErrorBody>> = {
  PASSWORD_CONFIRMATION_REQUIRED: { message: 'This is not the password of your account.' },
}

/** Fetches, and reads again where a busy service says that it will soon have room; whoever changes something decides that alone. */
async function fetchPatiently(address: string, request: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(address, request)
    const waitMs = Number(response.headers.get('retry-after') ?? Number.NaN) * 1000
    // NaN, of no header or one with a date, is within no limit.
    const isSoon = response.status === 503 && waitMs <= WAIT_MS_MAX
    if (request.method !== 'GET' || !isSoon || tries === TRIES_MAX) return response
    await response.body?.cancel()
    await new Promise(resolve => setTimeout(resolve, waitMs))
  }
}

/** Posts a form as `fetch` does, which does not tell how much of it is sent. */
function sendWatched(address: string, form: FormData, onProgress: (share: number) => void): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total)
    request.onload = () => resolve(new Response(request.responseText || null, { status: request.status }))
    request.onerror = reject
    request.open('POST', address)
    request.setRequestHeader('accept', 'application/json')
    request.send(form)
  })
}

/** The address of a request in the chosen workspace, for links that a browser follows itself. */
export const linkTo = (path: string, query: Record<string, unknown> = {}): string =>
  addressOf(path, { workspace_id: chosenWorkspace(), ...query })

function addressOf(path: string, query: Record<string, unknown>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') parameters.set(name, String(value))
  }
  const words = parameters.toString()
  const address = `${ROOT}${path}`
  return words === '' ? address : `${address}${path.includes('?') ? '&' : '?'}${words}`
}

/** A header holds bytes, each as a character; those of UTF-8 are what other clients send. */
const bytesOf = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text))

function readJson(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
