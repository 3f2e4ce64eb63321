import type { Tenant } from 'mneme/plugin'
import { attributedTo, type Statement } from '../contract.ts'
import { findOwners } from '../queries/insert.ts'
import { TEXT_MAX } from '../schemas.ts'
import { uniqueness } from '../settings/workspace.ts'
import { hashOf } from './content-hash.ts'

/** See {@link MemoryAttribution.attribute}. */
export async function attribute(
  { workspaceId, workspace, transaction }: Tenant,
  statements: readonly Statement[],
): Promise<string[]> {
  if (statements.length === 0) return []
  const texts = statements.map(({ text }) => text)
  if (uniqueness.of(workspace) === 'user') return texts
  const owners = await transaction(tx => findOwners(tx, workspaceId, texts))
  return statements.map(({ text, userId }) => {
    const hash = hashOf(text)
    const owner = owners.get(hash)
    if (owner === undefined) owners.set(hash, userId)
    if (owner === undefined || owner === userId) return text
    const attributed = attributedTo(userId, text)
    return [...attributed].length > TEXT_MAX ? text : attributed
  })
}
