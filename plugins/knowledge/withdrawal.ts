import type { EventPublisher, Tx } from 'mneme/plugin'
import type { MemoryMerge, MemoryRecord, MemoryWriteHook } from '../memories/contract.ts'
import { writeVersion } from './compilation/entry.ts'
import { isEmpty } from './document/document.ts'
import { handNaming } from './document/hand.ts'
import { withdrawn } from './document/withdraw.ts'
import { normalForm } from './document/wording.ts'
import { type EntryChange, updatedEvents } from './events.ts'
import { isBlank, memoriesOf, withoutUnsaid } from './profile/portrait.ts'
import { deleteProfile, holdProfiles, saveProfile } from './profile/store.ts'
import { findHolders, holdEntries, type StoredEntry } from './queries/entries.ts'
import { noteGone } from './queries/gone-memories.ts'
import { moveSources, sourcesOf } from './queries/save.ts'
import { deleteVersions, dropSources, findNaming, rewriteVersion } from './queries/versions.ts'

/** Documents that are in memory at once. */
const PAGE = 50

/** The statements and names that memories no longer support. */
interface Withdrawal {
  readonly workspaceId: string
  readonly ids: readonly string[]
  /** The subset of `ids` that no longer exists. */
  readonly gone: ReadonlySet<string>
  /** They are gone or absorbed, and not just changed. */
  readonly isErasure: boolean
  /** The survivors of those among `ids` that were absorbed. */
  readonly survivors: ReadonlyMap<string, string>
  /** Tells whether a memory still says these words; with undefined: whether it is there at all. */
  says(memory: string, words: string | undefined): boolean
}

/**
 * Takes the sentences of a memory out of documents and profiles in the transaction that deletes or changes it: an erasure does
 * not wait for the next compilation, which finds nothing left to do.
 */
export function createWriteHook(events: EventPublisher): MemoryWriteHook {
  return {
    id: 'knowledge',
    created: async () => undefined,
    async updated(tx, memories) {
      for (const [workspaceId, own] of Map.groupBy(memories, memory => memory.workspaceId))
        await withdraw(tx, events, withdrawalOfChanged(workspaceId, own))
    },
    async removed(tx, workspaceId, ids, why) {
      // The member `absorbed` is given the survivors too, and changes a document once instead of twice.
      if (why !== 'absorbed') await withdrawRemoved(tx, events, workspaceId, ids)
    },
    absorbed: (tx, workspaceId, merges) => withdrawRemoved(tx, events, workspaceId, [], survivorsIn(merges)),
  }
}

/**
 * Takes the sentences of memories that are gone or absorbed out of documents and profiles. A line written by hand goes with memories that are
 * gone; of those that were absorbed the survivors tell, so it stays and names these.
 */
export async function withdrawRemoved(
  tx: Tx,
  events: EventPublisher,
  workspaceId: string,
  gone: readonly string[],
  survivors: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  const removed = new Set([...gone, ...survivors.keys()])
  const says = (memory: string) => !removed.has(memory)
  await withdraw(tx, events, { workspaceId, ids: [...removed], gone: new Set(gone), isErasure: true, survivors, says })
}

function survivorsIn(merges: readonly MemoryMerge[]): ReadonlyMap<string, string> {
  return new Map(merges.flatMap(({ survivor, absorbed }) => absorbed.map(({ id }) => [id, survivor.id] as const)))
}

/** A statement is in a memory's own words: what its new text does not hold any more, it does not say any more. */
function withdrawalOfChanged(workspaceId: string, memories: readonly MemoryRecord[]): Withdrawal {
  const texts = new Map(memories.map(({ id, text }) => [id, normalForm(text)]))
  return {
    workspaceId,
    ids: [...texts.keys()],
    gone: new Set(),
    isErasure: false,
    survivors: new Map(),
    says(memory, words) {
      const text = texts.get(memory)
      return text === undefined || words === undefined || text.includes(normalForm(words))
    },
  }
}

async function withdraw(tx: Tx, events: EventPublisher, withdrawal: Withdrawal): Promise<void> {
  const { workspaceId, ids, gone } = withdrawal
  if (ids.length === 0) return
  const holders = await findHolders(tx, workspaceId, ids)
  if (holders.length > 0 && gone.size > 0) await noteGone(tx, workspaceId, [...gone])
  const changes = new Map<string, EntryChange[]>()
  const pages = Array.from({ length: Math.ceil(holders.length / PAGE) }, (_, n) =>
    holders.slice(n * PAGE, (n + 1) * PAGE),
  )
  // All documents before all profiles, as a compilation locks them.
  for (const page of pages) await rewriteEntries(tx, withdrawal, page, changes)
  for (const page of pages) await rewriteProfiles(tx, withdrawal, page)
  await events.publish(
    tx,
    [...changes].flatMap(([userId, own]) => updatedEvents(workspaceId, userId, own)),
  )
}

async function rewriteEntries(
  tx: Tx,
  withdrawal: Withdrawal,
  holders: readonly string[],
  changes: Map<string, EntryChange[]>,
): Promise<void> {
  const { workspaceId, gone, isErasure, survivors, says } = withdrawal
  for (const entry of await holdEntries(tx, workspaceId, holders)) {
    if (isErasure) await rewriteVersions(tx, withdrawal, entry)
    const hand = handNaming(entry.document.hand, survivors)
    const document = withdrawn({ ...entry.document, hand }, says, gone)
    if (JSON.stringify(document) === JSON.stringify(entry.document)) continue
    // Without a fingerprint the next compilation takes nothing for granted.
    const version = { ...entry, document, fingerprint: '', isErasure }
    const change = await writeVersion(tx, workspaceId, entry.userId, entry, version)
    if (change) changes.set(entry.userId, [...(changes.get(entry.userId) ?? []), change])
  }
}

/** Takes the same out of the versions that are kept. What a memory said before it was changed stays in them, as in its history, until it is deleted. */
async function rewriteVersions(
  tx: Tx,
  { workspaceId, ids, gone, survivors, says }: Withdrawal,
  { id, document: { category, ...present } }: StoredEntry,
): Promise<void> {
  const naming = await findNaming(tx, workspaceId, id, ids)
  if (naming.length === 0) return
  for (const { version, compiled, hand } of naming) {
    const document = withdrawn({ category, compiled, hand: handNaming(hand, survivors) }, says, gone)
    await (isEmpty(document)
      ? deleteVersions(tx, workspaceId, id, version)
      : rewriteVersion(tx, workspaceId, id, version, document, sourcesOf(document)))
  }
  await dropSources(tx, workspaceId, id, sourcesOf({ category, ...present }))
}

async function rewriteProfiles(tx: Tx, { workspaceId, says }: Withdrawal, holders: readonly string[]): Promise<void> {
  for (const profile of await holdProfiles(tx, workspaceId, holders)) {
    const portrait = withoutUnsaid(profile.portrait, says)
    if (JSON.stringify(portrait) === JSON.stringify(profile.portrait)) continue
    const written = isBlank(portrait)
      ? deleteProfile(tx, workspaceId, profile.id)
      : saveProfile(tx, workspaceId, { ...profile, portrait, extractedAt: new Date() })
    await Promise.all([
      written,
      moveSources(tx, workspaceId, profile.id, memoriesOf(profile.portrait), memoriesOf(portrait)),
    ])
  }
}
