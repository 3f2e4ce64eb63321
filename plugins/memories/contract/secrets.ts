import { defineSetting, failWith, finish, oneOf, paced, type Static, type Steps } from 'mneme/plugin'
import { type FindSecrets, loadFinder } from './secret-finder.ts'

const secretsSchema = oneOf(['keep', 'mask', 'refuse'], {
  description:
    'Whether keys, tokens, private keys and card numbers in texts are kept, masked, or refused with the text.',
})
export type SecretsMode = Static<typeof secretsSchema>

export const secretErrors = {
  SECRET_REFUSED: { status: 422, message: 'The text holds a secret, which this workspace refuses; leave it out.' },
} as const

export const failSecret = failWith(secretErrors)

/** Says what a workspace does with secrets in what is brought in. */
export const secretsMode = defineSetting({ key: 'secrets', schema: secretsSchema, default: 'keep' })

/**
 * Applies the setting `secrets` to what is brought in, before it is stored or sent anywhere: every text in a JSON value, at any level, comes
 * back masked. What becomes memories passes here in any case; call it where texts are kept before that.
 *
 * @throws SECRET_REFUSED
 */
export async function screen<T>(mode: SecretsMode, value: T): Promise<T> {
  if (mode === 'keep') return value
  return paced(screening(mode, await loadFinder(), value))
}

/** As {@link screen}, for what runs in a thread of its own and need not let others in. */
export async function screener(mode: SecretsMode): Promise<<T>(value: T) => T> {
  if (mode === 'keep') return value => value
  const find = await loadFinder()
  return value => finish(screening(mode, find, value))
}

/** As {@link screen}, but leaves the ids of whom it belongs to alone: they are no text. */
export async function screenFields<T extends object>(mode: SecretsMode, fields: T): Promise<T> {
  const texts = Object.entries(fields).filter(([name]) => !OWNERS.includes(name))
  return { ...fields, ...(await screen(mode, Object.fromEntries(texts))) }
}

const OWNERS = ['user_id', 'agent_id', 'session_id']

function* screening<T>(mode: SecretsMode, find: FindSecrets, value: T): Steps<T> {
  const kinds = new Set<string>()
  const masked = yield* masking(find, value, kinds)
  if (mode === 'refuse' && kinds.size > 0) {
    throw failSecret('SECRET_REFUSED', {
      message: `The text holds what looks like a secret (${[...kinds].join(', ')}), which this workspace refuses; leave it out.`,
    })
  }
  // The cast is safe because a value is masked into one of the same shape.
  return masked as T
}

/** @returns the value itself where nothing in it is masked */
function* masking(find: FindSecrets, value: unknown, kinds: Set<string>): Steps<unknown> {
  if (typeof value === 'string') {
    yield
    return mask(value, find(value), kinds)
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  const entries: [string, unknown][] = []
  let isSame = true
  for (const [key, given] of Object.entries(value)) {
    const masked: unknown = yield* masking(find, given, kinds)
    entries.push([key, masked])
    isSame &&= masked === given
  }
  if (isSame) return value
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries)
}

function mask(text: string, secrets: ReturnType<FindSecrets>, kinds: Set<string>): string {
  let masked = ''
  let at = 0
  for (const { kind, start, end } of secrets) {
    kinds.add(kind)
    masked += `${text.slice(at, start)}[masked: ${kind}]`
    at = end
  }
  return masked + text.slice(at)
}

const MASKED = /\[masked: ([a-z0-9-]+)\]/g

/** The kinds of secrets that are masked in texts. */
export function maskedKinds(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap(text => [...text.matchAll(MASKED)].map(([, kind = '']) => kind)))]
}
