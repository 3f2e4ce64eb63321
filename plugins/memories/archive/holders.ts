import { plainArray, type Tx } from 'mneme/plugin'

export async function holdersOf(tx: Tx, workspaceId: string, hashes: readonly string[]): Promise<Map<string, string>> {
  if (hashes.length === 0) return new Map()
  const rows = await tx<{ hash: string; id: string }[]>`
    select wanted.hash, memory.id
    from unnest(${plainArray(hashes)}::text[]) as wanted (hash)
    join memories.memory on memory.content_hash = decode(wanted.hash, 'hex')
    where memory.workspace_id = ${workspaceId}
      and memory.live`
  return new Map(rows.map(row => [row.hash, row.id]))
}
