import type { Tenant } from 'mneme/plugin'
import { eraseTypes } from '../../core/plugin.ts'
import type { MemorySearch, SearchRequest } from '../../plugins/memories/contract.ts'
import type { Candidate } from '../../plugins/search/engine/engine.ts'
import { DEPTH, measure, ranksOf } from '../../plugins/search/evaluation/evaluate.ts'
import { searchPlugin } from '../../plugins/search/index.ts'
import type { SearchServices } from '../../plugins/search/pipeline/search.ts'
import { prepareQuery } from '../../plugins/search/query/prepare.ts'
import { rank } from '../../plugins/search/ranking/rank.ts'
import type { RankingContext } from '../../plugins/search/ranking/signal.ts'
import { retrieve } from '../../plugins/search/retrieval/retrieve.ts'
import { builtInPlugins } from '../../server/plugins.ts'
import { type AskOptions, askAll } from './ask.ts'
import type { Conversation } from './corpus.ts'
import { openInProcess } from './in-process.ts'
import type { Asked } from './report.ts'

/** A question with all that the ranker gets to see of it, so that it can be ranked again in other ways. */
export interface Captured {
  readonly file: string
  readonly category: string | undefined
  readonly evidence: readonly string[]
  readonly candidates: readonly Candidate[]
  readonly context: RankingContext
  /** Ids of texts by those of their memories. */
  readonly turns: ReadonlyMap<string, string>
}

type Ranking = Pick<Captured, 'candidates' | 'context' | 'turns'>

/** Asks every question once, and keeps the candidates of each. */
export async function capture(
  store: Readonly<Record<string, string>>,
  conversations: readonly Conversation[],
  options: AskOptions,
): Promise<Captured[]> {
  const seen: Ranking[] = []
  const { client, stop } = await openInProcess(store, {}, capturing(seen))
  await askAll(client, conversations, options)
  await stop()
  const questions = conversations.flatMap(({ name, questions }) => questions.map(one => ({ file: name, ...one })))
  return questions.map(({ file, category, evidence }, n) => {
    const ranking = seen[n]
    if (!ranking) throw new Error(`question ${n + 1} of ${questions.length} was not captured`)
    return { file, category: category === undefined ? undefined : String(category), evidence, ...ranking }
  })
}

/** Ranks the candidates of each question, in a context with these changes. */
export function askCaptured(captured: readonly Captured[], changes: Partial<RankingContext> = {}): Asked[] {
  return captured.map(({ file, category, evidence, candidates, context, turns }) => {
    const found = rank(candidates, { ...context, ...changes })
      .slice(0, DEPTH)
      .map(({ candidate }) => turns.get(candidate.memoryId))
    return { file, category, found, measures: measure(ranksOf(found, evidence)) }
  })
}

/** All plugins, of which `search` adds what each search ranks to `seen`. */
function capturing(seen: Ranking[]) {
  const plugin = eraseTypes({
    ...searchPlugin,
    async setup(context) {
      const parts = await searchPlugin.setup(context)
      return { ...parts, scope: { ...parts.scope, memorySearch: recorder(parts.scope, seen) } }
    },
  })
  return builtInPlugins.map(one => (one.id === searchPlugin.id ? plugin : one))
}

function recorder(
  { memorySearch, services }: { readonly memorySearch: MemorySearch; readonly services: SearchServices },
  seen: Ranking[],
): MemorySearch {
  return {
    async search(tenant, request) {
      seen.push(await rankingOf(services, tenant, request))
      return memorySearch.search(tenant, request)
    },
  }
}

async function rankingOf(services: SearchServices, tenant: Tenant, request: SearchRequest): Promise<Ranking> {
  const { prepared } = await prepareQuery(services, tenant, request)
  return tenant.transaction(async tx => {
    const { set, context } = await retrieve(tx, services, prepared, request.expand)
    const memories = await services.reader().listed(
      tx,
      set.candidates.map(({ memoryId }) => memoryId),
    )
    const turns = [...memories].map(([id, { metadata }]) => [id, String(metadata?.turn)] as const)
    return { candidates: set.candidates, context, turns: new Map(turns) }
  })
}
