import { EmbedderInputError, paced, plainArray, type Steps, type Tenant, type Tx, type UsageMeter } from 'mneme/plugin'
import { type DateSpan, datesIn } from 'text-reader/dates'
import { type MemoryRecord, type ProcessingStep, statedAt, workspaceTimezone } from '../../memories/contract.ts'
import { tellsTime } from '../analysis/traits.ts'
import { embedForWrite } from '../embedding/embed-texts.ts'
import type { TextEmbedding } from '../embedding/gaps.ts'
import { storeEmbedded } from '../embedding/gaps.ts'
import type { EmbeddingModels } from '../embedding/models.ts'
import { lockUseForWrite } from '../embedding/use-store.ts'
import type { ModelId, SearchEngine } from '../engine/engine.ts'
import type { WorkspaceLanguages } from '../languages/workspace-languages.ts'
import { SPAN_MS_MAX } from '../query/told-then.ts'
import { relateMemories } from './likeness.ts'

interface Embedded {
  /** Each model made this of the text. */
  readonly byModel: ReadonlyMap<ModelId, TextEmbedding>
  /** The tokens that its workspace uses for them. */
  readonly tokens: number
  /** The times that it names. */
  readonly told: readonly DateSpan[]
}

export interface EmbedStep extends ProcessingStep<Embedded> {
  /** `background` yields to memories that somebody waits for. */
  prepare(
    tenant: Tenant,
    memories: readonly MemoryRecord[],
    priority?: 'document' | 'background',
  ): Promise<ReadonlyMap<string, Embedded>>
  /** Counts the tokens. */
  finish(tx: Tx, memories: readonly MemoryRecord[], prepared: ReadonlyMap<string, Embedded>): Promise<void>
}

/** Embeds memories, after which they are found by meaning. */
export function createEmbedStep(
  engine: SearchEngine,
  models: EmbeddingModels,
  languages: Pick<WorkspaceLanguages, 'ofText'>,
  usage: Pick<UsageMeter, 'tokensIn'>,
): EmbedStep {
  return {
    id: 'search.embed',
    order: 100,
    async prepare(tenant, memories, priority = 'document') {
      const told = await toldTimes(tenant, languages, memories)
      const made = await embedForWrite(
        models,
        memories.map(memory => memory.text),
        priority,
      )
      const prepared = new Map<string, Embedded>()
      for (const [index, memory] of memories.entries()) {
        const byModel = new Map(
          [...made].flatMap(([model, texts]) => (texts[index] ? [[model, texts[index]] as const] : [])),
        )
        const all = [...byModel.values()]
        // During a re-embedding two models embed the text, but users pay for one.
        const embedding = all.find(one => !(one instanceof EmbedderInputError))
        if (!embedding || embedding instanceof EmbedderInputError) throw all[0]
        prepared.set(memory.id, { byModel, tokens: embedding.tokens, told: told.get(memory.id) ?? [] })
      }
      return prepared
    },
    async write(tx, memories, prepared) {
      const [first] = memories
      if (!first) return
      const use = await lockUseForWrite(tx)
      const needed = [use?.active, use?.target].filter(model => model !== undefined)
      if (!memories.every(({ id }) => needed.some(model => prepared.get(id)?.byModel.has(model)))) {
        models.forget()
        throw new Error('the embedding model changed meanwhile')
      }
      for (const model of new Set(needed)) {
        const made = memories.map(({ id }) => [id, prepared.get(id)?.byModel.get(model)] as const)
        await storeEmbedded(tx, engine, first.workspaceId, model, made, model === use?.target)
      }
      const told = new Map(memories.map(({ id }) => [id, prepared.get(id)?.told ?? []]))
      await storeToldTimes(tx, first.workspaceId, told)
    },
    async finish(tx, memories, prepared) {
      const [first] = memories
      if (first) await relateWritten(tx, first.workspaceId, memories, prepared)
      const tokens = memories.reduce((sum, { id }) => sum + (prepared.get(id)?.tokens ?? 0), 0)
      if (first && tokens > 0) await usage.tokensIn(tx, first.workspaceId, 'embedding', tokens)
    },
  }
}

/** Memories without a vector of the active model are related when a later one comes near them. */
async function relateWritten(
  tx: Tx,
  workspaceId: string,
  memories: readonly MemoryRecord[],
  prepared: ReadonlyMap<string, Embedded>,
): Promise<void> {
  const active = (await lockUseForWrite(tx))?.active
  if (active === undefined) return
  const written = memories.filter(({ id }) => {
    const made = prepared.get(id)?.byModel.get(active)
    return made && !(made instanceof EmbedderInputError) && made.vector
  })
  if (written.length > 0) await relateMemories(tx, workspaceId, active, written)
}

/** Sentences of a long text are about many times, which tell little of it. */
const READ_MAX = 300

/** The times that texts name, counted from when each was said, in the time zone of their workspace; by memory, those without one left out. */
async function toldTimes(
  tenant: Tenant,
  languages: Pick<WorkspaceLanguages, 'ofText'>,
  memories: readonly MemoryRecord[],
): Promise<ReadonlyMap<string, readonly DateSpan[]>> {
  const zone = workspaceTimezone.of(tenant.workspace)
  const told = new Map<string, readonly DateSpan[]>()
  for (const memory of memories) {
    const text = memory.text.slice(0, READ_MAX)
    if (!tellsTime(text.toLowerCase())) continue
    const language = await languages.ofText(tenant, text)
    told.set(memory.id, await paced(spansIn(text, statedAt(memory), { language, zone })))
  }
  return told
}

function* spansIn(text: string, at: Date, reading: { language: string | undefined; zone: string }): Steps<DateSpan[]> {
  yield
  return datesIn(text, at, reading).filter(
    ({ start, end, isDoubtful }) => !isDoubtful && end.getTime() - start.getTime() <= SPAN_MS_MAX,
  )
}

/** Replaces the told times of memories. */
async function storeToldTimes(
  tx: Tx,
  workspaceId: string,
  told: ReadonlyMap<string, readonly DateSpan[]>,
): Promise<void> {
  const rows = [...told].flatMap(([id, spans]) =>
    spans.map(({ start, end }) => ({ id, starts_at: start, ends_at: end })),
  )
  await tx`
    delete from search.told_time
    where told_time.workspace_id = ${workspaceId}
      and told_time.memory_id = any(${plainArray([...told.keys()])}::uuid[])`
  if (rows.length === 0) return
  await tx`
    insert into search.told_time (workspace_id, memory_id, starts_at, ends_at)
    select document.workspace_id, document.memory_id, given.starts_at, given.ends_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as given (id uuid, starts_at timestamptz, ends_at timestamptz)
    join search.document on document.workspace_id = ${workspaceId} and document.memory_id = given.id
    on conflict on constraint told_time_pk do nothing`
}
