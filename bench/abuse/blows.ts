/** An attacker has this: the service's address, and valid keys of workspaces of its own. */
export interface Target {
  readonly base: string
  readonly key: string
  /** This one's workspace has the plan `free`. */
  readonly freeKey: string
  /** The cookie of somebody who has signed in. */
  readonly session: string
  readonly email: string
}

/** One blow; it is dealt again and again until the time is over. Refusals are what the service should answer with. */
export type Attack = (target: Target, n: number) => Promise<void>

export const MB = 1024 ** 2

const LONGEST_MS = 60_000

export async function send(
  base: string,
  path: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    signal: AbortSignal.timeout(LONGEST_MS),
  })
  await response.arrayBuffer()
  return response.status
}

export const withKey = ({ key }: Target, more: Record<string, string> = {}) => ({ 'x-api-key': key, ...more })

/** A word that no text had before. */
export function word(): string {
  return Math.random().toString(36).slice(2, 10)
}

export const words = (count: number) => Array.from({ length: count }, word).join(' ')

export const together = (count: number, blow: (index: number) => Promise<unknown>) =>
  Promise.allSettled(Array.from({ length: count }, (_, index) => blow(index))).then(() => undefined)
