import type { Standing, Tx } from 'mneme/plugin'
import { isOfAssistant, type MemoryRecord } from '../../../memories/contract.ts'
import type { StandingMemories } from '../../contract.ts'
import { statedAt } from './filters.ts'

/** A caller who files a memory under this category says so, whatever its words. */
const CATEGORY = 'standing'

/** Further bits of `search.document.traits`; a bit never changes its meaning. */
const BITS: Readonly<Record<Standing, number>> = { identity: 16, instruction: 32, constraint: 64 }
/** The index of these documents has the same number. */
const ANY = 112

/**
 * Words of an assistant are nothing that its user wants, unless somebody files them so.
 * @param told what the text of the memory says of it
 */
export function standingOfMemory(memory: MemoryRecord, told: Standing | undefined): Standing | null {
  const said = isOfAssistant(memory) ? undefined : told
  return said ?? (memory.categories.includes(CATEGORY) ? 'instruction' : null)
}

export function standingBits(standing: Standing | null): number {
  return standing === null ? 0 : BITS[standing]
}

/** Finds what a user said that holds for every conversation with them. */
export const standingMemories: StandingMemories = {
  async of(tx, workspaceId, userId, limit) {
    const rows = await readRows(tx, workspaceId, userId, limit)
    return rows.flatMap(({ memory_id: memoryId, bits }) => {
      const kind = KINDS.find(one => (bits & BITS[one]) !== 0)
      return kind ? [{ memoryId, kind }] : []
    })
  },
}

const KINDS = ['identity', 'instruction', 'constraint'] as const

function readRows(tx: Tx, workspaceId: string, userId: string, limit: number) {
  return tx<{ memory_id: string; bits: number }[]>`
    select d.memory_id, d.traits & ${ANY}::smallint as bits
    from search.document as d
    where d.workspace_id = ${workspaceId}
      and d.user_id = ${userId}
      and d.traits & 112::smallint <> 0
    order by ${statedAt(tx)} desc, d.memory_id desc
    limit ${limit}`
}
