import { send, type Target, together, withKey, word, words } from './blows.ts'

/** An attack that is after something which can be counted, however the victim fares meanwhile. */
export interface AttackWithGain {
  /** @returns how much this blow gained */
  blow(target: Target): Promise<number>
  /** Names what is counted. */
  readonly what: string
  /** The most that all attackers may gain in a run, or each with `each`. */
  readonly most: number
  readonly each?: boolean
}

const AT_ONCE = 8

/** Sends some at once. @returns how many got one of these statuses */
async function count(statuses: readonly number[], ask: () => Promise<number>): Promise<number> {
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => ask().catch(() => 0)))
  return answers.filter(status => statuses.includes(status)).length
}

/** Five wrong passwords in a quarter of an hour lock an account for their address, wherever they are given. */
const TRIES_MAX = 5

const someAddress = () => Array.from({ length: 4 }, () => 1 + Math.floor(Math.random() * 254)).join('.')

export const ATTACKS_WITH_GAINS: Readonly<Record<string, AttackWithGain>> = {
  /** Changing a password tells whether the current one is right. */
  'change-password': {
    blow: ({ base, session }) =>
      count([200, 400, 401], () => {
        const body = JSON.stringify({ currentPassword: words(2), newPassword: words(3) })
        return send(base, '/v1/auth/change-password', body, { cookie: session })
      }),
    what: 'passwords tried',
    most: TRIES_MAX,
  },

  /** Sign-ins, each of which claims to come from an address of its own. */
  forwarded: {
    blow: ({ base, email }) =>
      count([200, 401], () => {
        const body = JSON.stringify({ email, password: words(2) })
        return send(base, '/v1/auth/sign-in/email', body, { 'x-forwarded-for': someAddress() })
      }),
    what: 'passwords tried',
    most: TRIES_MAX,
  },

  /** Workspaces, each of which would have a quota of its own; the free plan has three, and the key's own is one. */
  workspaces: {
    blow: ({ base, freeKey }) =>
      count([201], () => send(base, '/v1/workspaces', JSON.stringify({ name: word() }), { 'x-api-key': freeKey })),
    what: 'workspaces made',
    most: 2,
    each: true,
  },

  /** Deletions beside the writers of what was made of the deleted: knowledge, graph and near-duplicates. */
  deletions: {
    async blow(target) {
      const { base } = target
      const friend = word()
      const memories = Array.from({ length: 20 }, (_, n) => ({
        memory: `My friend ${friend} likes ${n % 4 === 0 ? 'tea' : words(2)} and works at ${word()}.`,
        user_id: `user ${Math.floor(Math.random() * 3)}`,
        categories: ['preferences', 'relationships', 'work_context'].slice(n % 3),
      }))
      const response = await fetch(`${base}/v1/memories/batch`, {
        method: 'POST',
        headers: withKey(target, { 'content-type': 'application/json' }),
        body: JSON.stringify({ memories }),
      })
      const { results = [] }: { results?: { memory?: { id: string } }[] } = await response.json()
      let failed = 0
      await together(results.length, async index => {
        const id = results[index]?.memory?.id
        if (!id) return
        const deleted = await fetch(`${base}/v1/memories/${id}`, { method: 'DELETE', headers: withKey(target) })
        await deleted.arrayBuffer()
        if (deleted.status >= 500) failed++
      })
      return failed
    },
    what: 'deletions that failed with 5xx',
    most: 0,
  },
}
