import type { Tx } from 'mneme/plugin'
import type { EndedMemories, EndedRequest, EndedSource } from '../contract.ts'
import type { EngineQuery } from '../engine/engine.ts'
import type { Learned, LearnedForQuery } from '../feedback/learned.ts'
import type { RankingContext } from '../ranking/rank.ts'

export interface JudgementServices {
  readonly learned: Learned
  /** The sources of other plugins that know what holds no more. */
  readonly ended: () => readonly EndedSource[]
}

/** The query for which memories are judged. */
export interface JudgedFor {
  readonly context: Pick<RankingContext, 'mode' | 'question'>
  readonly query: Pick<EngineQuery, 'workspaceId'>
  readonly known: {
    /** The query as typed. */
    readonly text: string
    readonly learned: LearnedForQuery
  }
}

export type Judgements = Required<Pick<RankingContext, 'feedback' | 'ended'>>

/** Reads what is known of memories by their ids: the feedback on them for a query, and whether they tell only what holds no more. */
export async function judgements(
  tx: Tx,
  { learned, ended: sources }: JudgementServices,
  { context, query, known }: JudgedFor,
  memoryIds: readonly string[],
): Promise<Judgements> {
  const { workspaceId } = query
  const [feedback, ended] = await Promise.all([
    learned.forMemories(tx, workspaceId, known.learned, memoryIds),
    asksForNow(context) ? readEnded(tx, sources(), { workspaceId, query: known.text, memoryIds }) : new Map(),
  ])
  return { feedback, ended }
}

/** In keyword mode texts are found for their words alone. What has ended may have held at the time that a query names. */
function asksForNow({ mode, question }: JudgedFor['context']): boolean {
  return mode !== 'keyword' && question.dates.length === 0
}

async function readEnded(tx: Tx, sources: readonly EndedSource[], request: EndedRequest): Promise<EndedMemories> {
  const all = await Promise.all(sources.map(source => source.ended(tx, request)))
  return new Map(all.flatMap(found => [...found]))
}
