import { ROOT } from './address.js'

/** An error response of the API, or a request that got none. */
class ApiError extends Error {
  name = 'ApiError'

  /**
   * @param {number} status 0 where there was no response
   * @param {{message?: string, error_code?: string, details?: {path: string, message: string}[]}} body
   */
  constructor(status, body) {
    super(body.message ?? `The service answered with ${status}.`)
    this.status = status
    this.code = body.error_code
    this.details = body.details ?? []
  }
}

/** Its 401 means that the password is wrong. */
export const SIGN_IN = '/v1/auth/sign-in/email'

/** A read is sent so often where the service is busy, each time after at most so many milliseconds. */
const TRIES_MAX = 3
const WAIT_MS_MAX = 5000

const WORKSPACE = 'mneme.workspace'
// Each tab stays in its workspace; a new one begins in that of the tab that was last used.
let workspaceId = sessionStorage.getItem(WORKSPACE) ?? localStorage.getItem(WORKSPACE) ?? undefined
addEventListener('focus', () => keep(localStorage))

function keep(storage) {
  if (workspaceId === undefined) storage.removeItem(WORKSPACE)
  else storage.setItem(WORKSPACE, workspaceId)
}

let leave = () => undefined

/** Tells in which workspace requests are made; undefined for the account's first. */
export function chosenWorkspace() {
  return workspaceId
}

/** @param {string | undefined} id all requests after this are made in this workspace, in later sessions too */
export function chooseWorkspace(id) {
  workspaceId = id
  keep(sessionStorage)
  keep(localStorage)
}

/** @param {() => void} listener called when the session has ended */
export function onSignedOut(listener) {
  leave = listener
}

/**
 * Calls the API as the account that is signed in, in the chosen workspace. A read that a busy service refuses is sent again.
 *
 * @param {string} method
 * @param {string} path without the workspace: `/v1/memories`
 * @param {object} [options]
 * @param {Record<string, unknown>} [options.query] members that are undefined, null or empty are left out
 * @param {unknown} [options.body] sent as JSON
 * @param {FormData} [options.form] sent as a form, in place of a body
 * @param {string} [options.password] confirms what cannot be undone
 * @param {boolean} [options.everywhere] the request is for no workspace
 * @returns {Promise<any>} the body of the response; undefined where it has none
 * @throws {ApiError}
 */
export async function call(method, path, { query = {}, body, form, password, everywhere = false } = {}) {
  const headers = { accept: 'application/json' }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (password !== undefined) headers['x-confirm-password'] = bytesOf(password)
  const response = await fetchPatiently(addressOf(path, everywhere ? query : { workspace_id: workspaceId, ...query }), {
    method,
    headers,
    body: form ?? (body === undefined ? undefined : JSON.stringify(body)),
  }).catch(() => {
    const reason = form ? 'A file cannot be read, or the service cannot be reached.' : 'The service cannot be reached.'
    throw new ApiError(0, { message: reason })
  })
  const text = await response.text()
  const read = text === '' ? undefined : readJson(text)
  if (response.ok) return read
  const hasEnded = response.status === 401 && path !== SIGN_IN
  if (hasEnded) leave()
  throw new ApiError(response.status, { ...read, ...(hasEnded ? ENDED : PEOPLE[read?.error_code]) })
}

/** The API speaks to programs of keys and headers, which people at the console do not see. */
const ENDED = { message: 'The session had ended. Sign in, and try again.' }
const PEOPLE = { PASSWORD_CONFIRMATION_REQUIRED: { message: 'This is not the password of your account.' } }

/** Fetches, and reads again where a busy service says that it will soon have room; whoever changes something decides that alone. */
async function fetchPatiently(address, request) {
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

/** The address of a request in the chosen workspace, for links that a browser follows itself. */
export function linkTo(path, query = {}) {
  return addressOf(path, { workspace_id: workspaceId, ...query })
}

function addressOf(path, query) {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') parameters.set(name, String(value))
  }
  const words = parameters.toString()
  const address = `${ROOT}${path}`
  return words === '' ? address : `${address}?${words}`
}

/** A header holds bytes, each as a character; those of UTF-8 are what other clients send. */
function bytesOf(text) {
  return String.fromCharCode(...new TextEncoder().encode(text))
}

function readJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
