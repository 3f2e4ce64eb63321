import type { Tx } from 'mneme/plugin'
import type { EndedMemories, EndedRequest, EndedSource } from '../contract.ts'
import type { EngineQuery } from '../engine/engine.ts'
import { withUsualPlans } from '../engine/postgres/planner.ts'
import type { Learned, LearnedForQuery } from '../feedback/learned.ts'
import type { RankingContext } from '../ranking/rank.ts'

export interface JudgementServices {
  readonly learned: Learned
  /** The sources of other plugins that know what holds no more. */
  readonly ended: () => readonly EndedSource[]
}

/** The query for which memories are judged. */
export interface JudgedFor {
  readonly context: Pick<RankingContext, 'mode' | 'question' | 'without'>
  readonly query: Pick<EngineQuery, 'workspaceId'>
  readonly known: {
    /** The query as typed. */
    readonly text: string
    readonly learned: LearnedForQuery
  }
}

/** These facts are known of memories by their ids: the feedback on them for a query, and whether they tell only what holds no more. */
export interface Judgements extends Required<Pick<RankingContext, 'feedback' | 'ended'>> {
  /** All that were asked about. */
  readonly memoryIds: ReadonlySet<string>
}

/** @param before what is known already, which is not read again */
export async function judgements(
  tx: Tx,
  { learned, ended: sources }: JudgementServices,
  { context, query, known }: JudgedFor,
  given: readonly string[],
  before?: Judgements,
): Promise<Judgements> {
  const { workspaceId } = query
  const memoryIds = given.filter(id => !before?.memoryIds.has(id))
  const [feedback, ended] = await Promise.all([
    learned.forMemories(tx, workspaceId, known.learned, memoryIds),
    asksForNow(context) ? readEnded(tx, sources(), { workspaceId, query: known.text, memoryIds }) : new Map(),
  ])
  if (!before) return { feedback, ended, memoryIds: new Set(memoryIds) }
  return {
    feedback: new Map([...before.feedback, ...feedback]),
    ended: new Map([...before.ended, ...ended]),
    memoryIds: new Set([...before.memoryIds, ...memoryIds]),
  }
}

export function withJudgements(context: RankingContext, { feedback, ended }: Judgements): RankingContext {
  return { ...context, feedback, ended }
}

/** In keyword mode texts are found for their words alone. What has ended may have held at the time that a query names. */
function asksForNow({ mode, question, without }: JudgedFor['context']): boolean {
  return mode !== 'keyword' && !question.isOfAnotherTime && !without?.has('validity')
}

async function readEnded(tx: Tx, sources: readonly EndedSource[], request: EndedRequest): Promise<EndedMemories> {
  if (sources.length === 0) return new Map()
  const all = await withUsualPlans(tx, () => Promise.all(sources.map(source => source.ended(tx, request))))
  return new Map(all.flatMap(found => [...found]))
}
