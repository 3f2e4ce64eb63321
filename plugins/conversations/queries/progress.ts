import { insertRows, plainArray, type Quarantine, type Tx, textArray } from 'mneme/plugin'
import type { Conversation, Reading } from '../conversation.ts'
import { type ConversationRow, conversationColumns, toConversation } from './rows.ts'

/**
 * Marks a conversation as being read from the first fact of a turn on; undefined when it has ended, is gone, or another job has read that
 * turn.
 */
export async function claimForReading(
  tx: Tx,
  workspaceId: string,
  id: string,
  turn: number,
): Promise<Conversation | undefined> {
  const [row] = await tx<ConversationRow[]>`
    with changed as (
      update conversations.conversation
      set status = 'PROCESSING', kept_facts = 0, progress_at = now(),
        updated_at = case when conversation.status = 'PENDING' then clock.now else conversation.updated_at end
      from (select now() as now offset 0) as clock
      where conversation.workspace_id = ${workspaceId}
        and conversation.id = ${id}
        and conversation.next_turn = ${turn}
        and conversation.status in ('PENDING', 'PROCESSING')
      returning conversation.*
    )
    select ${conversationColumns(tx)} from changed as conversation`
  return row && toConversation(row)
}

/** The place up to which a conversation is read; another reader of it begins with no facts kept. */
export type Place = Pick<Conversation, 'nextTurn' | 'keptFacts'>

/** Tells whether it still stands at a turn, with so many facts kept; locked until the transaction ends. */
export async function lockAt(
  tx: Tx,
  workspaceId: string,
  id: string,
  { nextTurn, keptFacts }: Place,
): Promise<boolean> {
  const rows = await tx`
    select conversation.id
    from conversations.conversation
    where conversation.workspace_id = ${workspaceId}
      and conversation.id = ${id}
      and conversation.next_turn = ${nextTurn}
      and conversation.kept_facts = ${keptFacts}
      and conversation.status = 'PROCESSING'
    for update`
  return rows.length > 0
}

export interface NewResult {
  readonly memoryId: string
  readonly turn: number
  readonly ordinal: number
  readonly created: boolean
  /** The memory's. */
  readonly revision: number
}

/** Notes the memories of facts; one that a former turn has led to already stays where it is. */
export async function insertResults(
  tx: Tx,
  workspaceId: string,
  id: string,
  results: readonly NewResult[],
): Promise<void> {
  await insertRows(
    tx,
    results.toSorted((a, b) => a.turn - b.turn || a.ordinal - b.ordinal),
    ({ memoryId, turn, ordinal, created, revision }) =>
      tx`(${workspaceId}, ${id}, ${memoryId}, ${turn}, ${ordinal}, ${created}, ${revision})`,
    values => tx`
      insert into conversations.result (workspace_id, conversation_id, memory_id, turn, ordinal, created, revision)
      values ${values}
      on conflict on constraint result_pk do nothing`,
  )
}

/** Adds who read a part, each once, and says where to go on. A provisional part is read again later. */
export async function advance(
  tx: Tx,
  workspaceId: string,
  id: string,
  { nextTurn, keptFacts }: Place,
  { extractedBy, isProvisional }: Pick<Reading, 'extractedBy' | 'isProvisional'>,
): Promise<void> {
  await tx`
    update conversations.conversation
    set next_turn = ${nextTurn}, kept_facts = ${keptFacts}, progress_at = now(),
      provisional_turn = case
        when ${isProvisional} then least(conversation.provisional_turn, conversation.next_turn)
        else conversation.provisional_turn
      end,
      provisional_end = case
        when ${isProvisional} then greatest(conversation.provisional_end, ${nextTurn})
        else conversation.provisional_end
      end,
      extracted_by = array(
        select distinct reader
        from unnest(conversation.extracted_by || ${textArray(extractedBy)}::text[]) as reader
        order by reader
      )
    where conversation.workspace_id = ${workspaceId}
      and conversation.id = ${id}`
}

/**
 * Ends a conversation. What was said in it goes: only its hash and the ids of its memories stay. Where some of it was read without the
 * model that is configured, it is kept to be read again: first after some minutes, then ever later. Its end stays that of the first
 * reading, from which the time counts in which the same messages are known.
 */
export async function complete(tx: Tx, workspaceId: string, id: string): Promise<void> {
  const [row] = await tx<{ is_over: boolean }[]>`
    update conversations.conversation
    set status = 'COMPLETED', error = null, progress_at = now(), again_end = null,
      characters = case when conversation.provisional_turn is null then 0 else conversation.characters end,
      instructions = case when conversation.provisional_turn is not null then conversation.instructions end,
      updated_at = case when conversation.again_end is null then clock.now else conversation.updated_at end,
      again_at = case when conversation.provisional_turn is not null then clock.again_at end
    from (
      select now() as now, now() + least(greatest(now() - known.created_at, ${AGAIN_MIN}::interval), ${AGAIN_MAX}::interval) as again_at
      from conversations.conversation as known
      where known.workspace_id = ${workspaceId} and known.id = ${id}
      offset 0
    ) as clock
    where conversation.workspace_id = ${workspaceId}
      and conversation.id = ${id}
    returning conversation.provisional_turn is null as is_over`
  if (!row?.is_over) return
  await tx`
    delete from conversations.message
    where message.workspace_id = ${workspaceId}
      and message.conversation_id = ${id}`
}

const AGAIN_MIN = '10 minutes'
const AGAIN_MAX = '6 hours'

/**
 * Ends a conversation that cannot be read on. What was said in it is kept for some days, so that it can be tried again. One that was
 * read before, without the model, stays COMPLETED.
 */
export async function giveUp(tx: Tx, workspaceId: string, id: string, error: string): Promise<void> {
  const rows = await tx`
    update conversations.conversation
    set status = 'FAILED', error = ${error}, progress_at = now(), updated_at = now()
    where conversation.workspace_id = ${workspaceId}
      and conversation.id = ${id}
      and conversation.again_end is null
    returning conversation.id`
  if (rows.length > 0) return
  await tx`
    update conversations.conversation
    set provisional_turn = null, provisional_end = null
    where conversation.workspace_id = ${workspaceId}
      and conversation.id = ${id}`
  await complete(tx, workspaceId, id)
}

/** Lets one that failed go on with the turn at which it stood. Undefined when there is none, it did not fail, or its messages are gone. */
export async function resume(tx: Tx, workspaceId: string, id: string): Promise<Conversation | undefined> {
  const [row] = await tx<ConversationRow[]>`
    with changed as (
      update conversations.conversation
      set status = 'PENDING', error = null, progress_at = now(), waiting_since = now(), updated_at = now()
      where conversation.workspace_id = ${workspaceId}
        and conversation.id = ${id}
        and conversation.status = 'FAILED'
        and exists (
          select
          from conversations.message
          where message.workspace_id = conversation.workspace_id
            and message.conversation_id = conversation.id
            and message.turn >= conversation.next_turn
        )
      returning conversation.*
    )
    select ${conversationColumns(tx)} from changed as conversation`
  return row && toConversation(row)
}

/** A conversation found by a sweep over all workspaces. */
export interface Found {
  readonly workspaceId: string
  readonly id: string
}

/** Finds stalled conversations of any workspace but those that the sweep holds back, in a transaction of the system. */
export async function findStuck(
  tx: Tx,
  quarantine: Quarantine,
  sweep: string,
  quietSeconds: number,
  limit: number,
): Promise<Found[]> {
  const rows = await tx<{ workspace_id: string; id: string }[]>`
    -- across workspaces: finds conversations without progress
    select conversation.workspace_id, conversation.id
    from conversations.conversation
    where conversation.status in ('PENDING', 'PROCESSING')
      and ${isQuiet(tx, quietSeconds)}
      and ${quarantine.admits(tx, sweep, 'conversation.workspace_id', 'conversation.id')}
    order by conversation.progress_at
    limit ${limit}`
  return rows.map(row => ({ workspaceId: row.workspace_id, id: row.id }))
}

/** Its last progress was long ago, or is yet to come: then the clock was put back since. */
function isQuiet(tx: Tx, seconds: number) {
  return tx`abs(extract(epoch from now() - conversation.progress_at)) > ${seconds}::integer`
}

export interface Stuck {
  readonly id: string
  readonly nextTurn: number
  readonly waitingSince: Date
}

/** Marks those of a workspace's conversations as moved that are stalled still. */
export async function claimStuck(
  tx: Tx,
  workspaceId: string,
  ids: readonly string[],
  quietSeconds: number,
): Promise<Stuck[]> {
  const rows = await tx<{ id: string; next_turn: number; waiting_since: Date }[]>`
    with stuck as (
      select conversation.id, least(conversation.progress_at, now()) as progress_at
      from conversations.conversation
      where conversation.workspace_id = ${workspaceId}
        and conversation.id = any(${plainArray(ids)}::uuid[])
        and conversation.status in ('PENDING', 'PROCESSING')
        and ${isQuiet(tx, quietSeconds)}
      order by conversation.id
      for update skip locked
    )
    update conversations.conversation
    set progress_at = now()
    from stuck
    where conversation.workspace_id = ${workspaceId}
      and conversation.id = stuck.id
    returning conversation.id, conversation.next_turn, stuck.progress_at as waiting_since`
  return rows.map(row => ({ id: row.id, nextTurn: row.next_turn, waitingSince: row.waiting_since }))
}
