import type { Tx } from 'mneme/plugin'
import type { Turn } from '../conversation.ts'

interface MessageRow {
  turn: number
  role: Turn['role']
  content: string
  said_at: Date
}

const toTurn = ({ turn, role, content, said_at }: MessageRow): Turn => ({ turn, role, text: content, saidAt: said_at })

/**
 * Reads the turns from one on, up to `end`, `turnsMax` of them at most, until they have `charactersMax` characters; the last one may have more.
 */
export async function findTurns(
  tx: Tx,
  workspaceId: string,
  id: string,
  from: number,
  {
    end = null,
    turnsMax,
    charactersMax,
  }: { readonly end?: number | null; readonly turnsMax: number; readonly charactersMax: number },
): Promise<Turn[]> {
  const rows = await tx<MessageRow[]>`
    select next.turn, next.role, next.content, next.said_at
    from (
      select
        message.turn, message.role, message.content, message.said_at,
        sum(char_length(message.content)) over (order by message.turn) - char_length(message.content) as before
      from conversations.message
      where message.workspace_id = ${workspaceId}
        and message.conversation_id = ${id}
        and message.turn >= ${from}
        ${isBefore(tx, end)}
      order by message.turn
      limit ${turnsMax}
    ) as next
    where next.before < ${charactersMax}
    order by next.turn`
  return rows.map(toTurn)
}

/** Reads the last turns before one, each cut to its end. */
export async function findTurnsBefore(
  tx: Tx,
  workspaceId: string,
  id: string,
  turn: number,
  { turnsMax, charactersEach }: { readonly turnsMax: number; readonly charactersEach: number },
): Promise<Turn[]> {
  const rows = await tx<MessageRow[]>`
    select message.turn, message.role, right(message.content, ${charactersEach}) as content, message.said_at
    from conversations.message
    where message.workspace_id = ${workspaceId}
      and message.conversation_id = ${id}
      and message.turn < ${turn}
    order by message.turn desc
    limit ${turnsMax}`
  return rows.map(toTurn).reverse()
}

/** Finds the last turn of the user; undefined where he has none. */
export async function findLastSaid(tx: Tx, workspaceId: string, id: string): Promise<number | undefined> {
  const [row] = await tx<{ turn: number }[]>`
    select message.turn
    from conversations.message
    where message.workspace_id = ${workspaceId}
      and message.conversation_id = ${id}
      and message.role = 'user'
    order by message.turn desc
    limit 1`
  return row?.turn
}

/** Tells whether anything is left to read, from a turn on and up to `end`. */
export async function hasTurns(
  tx: Tx,
  workspaceId: string,
  id: string,
  from: number,
  end: number | null,
): Promise<boolean> {
  const rows = await tx`
    select message.turn
    from conversations.message
    where message.workspace_id = ${workspaceId}
      and message.conversation_id = ${id}
      and message.turn >= ${from}
      ${isBefore(tx, end)}
    limit 1`
  return rows.length > 0
}

function isBefore(tx: Tx, end: number | null) {
  return end === null ? tx`` : tx`and message.turn < ${end}`
}
