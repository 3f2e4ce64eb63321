import type { Tx } from 'mneme/plugin'
import type { ArchivedMemory } from '../contract.ts'
import { hashOf } from '../storing/content-hash.ts'

/**
 * Finds the survivor of each merged memory: the one it names, or the memory that holds that one's text here. Call it when the survivors of
 * the batch are stored.
 * @param given the whole batch; a survivor that is in it and was not stored does not come any more
 * @param holders the memories that hold the texts of survivors of earlier batches
 * @returns the merged memories that have one, as they are to be stored; the others would belong to none for ever
 */
export async function withSurvivors(
  tx: Tx,
  workspaceId: string,
  merged: readonly ArchivedMemory[],
  { given, holders }: { given: readonly ArchivedMemory[]; holders: ReadonlyMap<string, string> },
): Promise<ArchivedMemory[]> {
  if (merged.length === 0) return []
  const inBatch = new Map(given.map(memory => [memory.id, memory]))
  const homes = await homesOf(tx, workspaceId, merged, { inBatch, holders })
  const beside = new Map(merged.map(memory => [memory.id, memory]))
  const isKept = (memory: ArchivedMemory) => {
    const last = lastOf(memory, homes, beside)
    const into = survivorOf(last)
    // Memories come in the order of their ids: one with a greater id may still follow.
    return homes.has(into) || (!inBatch.has(into) && into > last.id)
  }
  return merged.filter(isKept).map(memory => {
    const into = survivorOf(memory)
    return { ...memory, consolidated_into: homes.get(into) ?? into }
  })
}

/**
 * Gives what was merged into memories that were left out, before these came, to the memories that hold their texts.
 * @returns the holders, by the ids of those that are not here
 */
export async function giveToHolders(
  tx: Tx,
  workspaceId: string,
  leftOut: readonly ArchivedMemory[],
): Promise<ReadonlyMap<string, string>> {
  if (leftOut.length === 0) return new Map()
  const texts = leftOut.map(({ id, memory, user_id }) => ({ id, user_id, hash: hashOf(memory) }))
  const rows = await tx<{ id: string; holder: string }[]>`
    with held as (
      select distinct on (given.id) given.id, memory.id as holder
      from jsonb_to_recordset(${JSON.stringify(texts)}::text::jsonb) as given (id uuid, user_id text, hash text)
      join memories.memory
        on memory.workspace_id = ${workspaceId} and memory.live and memory.content_hash = decode(given.hash, 'hex')
      where not exists (
        select
        from memories.memory as own
        where own.workspace_id = ${workspaceId} and own.id = given.id
      )
      order by given.id, (memory.user_id = given.user_id) desc
    ),
    moved as (
      update memories.memory
      set consolidated_into = held.holder
      from held
      where memory.workspace_id = ${workspaceId} and memory.consolidated_into = held.id
    )
    select held.id, held.holder
    from held`
  return new Map(rows.map(({ id, holder }) => [id, holder]))
}

function survivorOf({ consolidated_into: into }: ArchivedMemory): string {
  return into ?? ''
}

/** Follows merged memories, each into the next, to the last one that is to be stored with them; once round at the most. */
function lastOf(
  memory: ArchivedMemory,
  homes: ReadonlyMap<string, string>,
  beside: ReadonlyMap<string, ArchivedMemory>,
): ArchivedMemory {
  const passed = new Set([memory])
  let last = memory
  for (;;) {
    const next = homes.has(survivorOf(last)) ? undefined : beside.get(survivorOf(last))
    if (!next || passed.has(next)) return last
    passed.add(next)
    last = next
  }
}

/** Finds the id that each survivor has here: its own, or that of the live memory with its text. */
async function homesOf(
  tx: Tx,
  workspaceId: string,
  merged: readonly ArchivedMemory[],
  { inBatch, holders }: { inBatch: ReadonlyMap<string, ArchivedMemory>; holders: ReadonlyMap<string, string> },
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(merged.map(survivorOf))].map(id => {
    const survivor = inBatch.get(id)
    return {
      id,
      holder: holders.get(id) ?? null,
      hash: survivor === undefined ? null : hashOf(survivor.memory),
      user_id: survivor?.user_id ?? null,
    }
  })
  const rows = await tx<{ wanted: string; id: string }[]>`
    select known.wanted, known.id
    from (
      select wanted.id as wanted, memory.id, (memory.id <> wanted.id)::int as place
      from jsonb_to_recordset(${JSON.stringify(wanted)}::text::jsonb) as wanted (id uuid, holder uuid)
      join memories.memory on memory.workspace_id = ${workspaceId} and memory.id = any (array[wanted.id, wanted.holder])
      union all
      select wanted.id as wanted, memory.id, 2 - (memory.user_id = wanted.user_id)::int as place
      from jsonb_to_recordset(${JSON.stringify(wanted)}::text::jsonb) as wanted (id uuid, hash text, user_id text)
      join memories.memory
        on memory.workspace_id = ${workspaceId} and memory.live and memory.content_hash = decode(wanted.hash, 'hex')
    ) as known
    order by known.place desc`
  return new Map(rows.map(row => [row.wanted, row.id]))
}
