import { Type } from '@sinclair/typebox'
import type { Workspace } from '../../auth/caller.ts'
import { defineSetting } from '../../auth/settings.ts'
import type { Database } from '../../db/database.ts'
import { DAY_MS } from '../../durations.ts'
import { createLoadingCache } from '../../loading-cache.ts'
import { withMembers } from '../../with-members.ts'
import {
  LanguageModelOutputError,
  LanguageModelUnavailableError,
  type LanguageOperation,
  type OpenLanguageModel,
} from './language-model.ts'

/** Model tokens cost the account's money, so no key may raise their limit. */
export const dailyModelTokens = defineSetting({
  key: 'daily_model_tokens',
  schema: Type.Integer({
    minimum: 0,
    // This is beyond any use, and exact in JSON.
    maximum: 1_000_000_000_000,
    description: 'Tokens a day that language models may read and write; null: no limit.',
  }),
  setBy: 'account',
})

export interface DailyTokensParts {
  readonly database: Database
  /** Reads the workspace's setting. */
  readonly find: (workspaceId: string) => Promise<Pick<Workspace, 'settings'> | undefined>
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** Background calls count and are held back; a query is let through, since somebody waits for it. */
const COUNTED: ReadonlySet<LanguageOperation> = new Set(['enrichment', 'writing'])

/** A reading of the counters is used for this long; they are written every second. */
const READING_MS = 2_000
const READINGS_MAX = 10_000

/**
 * Refuses calls beyond a workspace's model tokens of the day (UTC), as if the model were away: callers go their local
 * way and come back later. Concurrent calls may exceed the limit by what they take.
 */
export function withDailyTokens(model: OpenLanguageModel, parts: DailyTokensParts): OpenLanguageModel {
  const { database, find, now = Date.now } = parts
  const spent = createLoadingCache<number>({
    name: 'models.daily_tokens',
    max: READINGS_MAX,
    ttlMs: READING_MS,
    ...(parts.now ? { now } : {}),
    load: workspaceId => readSpent(database, workspaceId),
  })
  async function mayAsk(workspaceId: string): Promise<boolean> {
    const workspace = await find(workspaceId)
    const limit = workspace ? dailyModelTokens.of(workspace) : null
    return limit === null || ((await spent.get(workspaceId)) ?? 0) < limit
  }
  /** The tokens count at once, since the next reading may come before the counters are written. */
  function count(workspaceId: string, tokens: number): void {
    const known = spent.known(workspaceId)
    if (known !== undefined) spent.set(workspaceId, known + tokens)
  }
  const limited: Pick<OpenLanguageModel, 'generate'> = {
    async generate(request) {
      const { operation, workspaceId } = request
      if (!COUNTED.has(operation)) return model.generate(request)
      if (!(await mayAsk(workspaceId))) {
        throw new LanguageModelUnavailableError("the workspace's model tokens of today are used up", {
          retryAfterMs: untilTomorrow(now()),
        })
      }
      const generated = await model.generate(request).catch(error => {
        // Failed calls cost tokens too.
        if (error instanceof LanguageModelOutputError) count(workspaceId, error.tokens)
        throw error
      })
      count(workspaceId, generated.usage.inputTokens + generated.usage.outputTokens)
      return generated
    },
  }
  return withMembers(model, limited)
}

async function readSpent(database: Database, workspaceId: string): Promise<number> {
  const [row] = await database.workspace(
    workspaceId,
    tx => tx<{ tokens: number }[]>`
      select coalesce(sum(usage.input + usage.output), 0)::float8 as tokens
      from core.usage as usage
      where usage.workspace_id = ${workspaceId}
        and usage.hour >= date_trunc('day', now(), 'UTC')
        and usage.metric = 'tokens'
        and usage.operation in ('enrichment', 'writing')`,
  )
  return row?.tokens ?? 0
}

function untilTomorrow(now: number): number {
  return DAY_MS - (now % DAY_MS)
}
