import type { Tx, Wiring } from 'mneme/plugin'
import { memoryReader } from '../memories/contract.ts'
import type { Document, Hand } from './document/document.ts'
import { handNaming, handWithout, memoriesOfHand } from './document/hand.ts'
import { findGone } from './queries/gone-memories.ts'
import { sourcesOf } from './queries/save.ts'

/** The memories among some that are not visible. */
export interface Hidden {
  /** The survivor of each absorbed one. */
  readonly survivors: ReadonlyMap<string, string>
  readonly expired: readonly string[]
  /** The workspace has no memory of these ids: it was deleted, or there never was one. */
  readonly unknown: readonly string[]
}

export async function findHidden(tx: Tx, wiring: Wiring, ids: readonly string[]): Promise<Hidden> {
  const standings = await wiring.use(memoryReader).standings(tx, ids)
  const survivors = new Map<string, string>()
  const expired: string[] = []
  for (const [id, standing] of standings) {
    if (standing.state === 'CONSOLIDATED') survivors.set(id, standing.into)
    else if (standing.state === 'EXPIRED') expired.push(id)
  }
  return { survivors, expired, unknown: ids.filter(id => !standings.has(id)) }
}

/**
 * An edited document that names only memories that there are, so that those it rests on and which are not there later were deleted. A line
 * about memories that went since its text was read goes, too. Ids that no memory had are not named any more, and their line stays.
 * @param former the document before the edit
 */
export async function namingKnown(
  tx: Tx,
  wiring: Wiring,
  workspaceId: string,
  former: Document,
  document: Document,
): Promise<Document> {
  const { survivors, expired, unknown } = await findHidden(tx, wiring, memoriesOfHand(document.hand))
  const noted = unknown.length === 0 ? [] : [...sourcesOf(former), ...(await findGone(tx, workspaceId, unknown))]
  const deleted = new Set(unknown).intersection(new Set(noted))
  const strange = unknown.filter(id => !deleted.has(id))
  const known = namingOnly(document.hand, survivors, strange)
  return { ...document, hand: handWithout(known, deleted.union(new Set(expired))) }
}

/**
 * Text of an archive's that names only memories that there are. A memory that is not here is one that was left out, as its text was here under
 * another id: nothing was deleted, so lines about it stay.
 */
export async function namingStored(tx: Tx, wiring: Wiring, hand: Hand): Promise<Hand> {
  const { survivors, expired, unknown } = await findHidden(tx, wiring, memoriesOfHand(hand))
  return handWithout(namingOnly(hand, survivors, unknown), new Set(expired))
}

function namingOnly(hand: Hand, survivors: Hidden['survivors'], strange: readonly string[]): Hand {
  return handNaming(hand, new Map([...survivors, ...strange.map(id => [id, undefined] as const)]))
}
