import type { Tx } from 'mneme/plugin'
import { v7 as uuidv7 } from 'uuid'
import type { KnownEntity, KnownStatement } from '../../graph/contract.ts'
import { type Composed, compose, fingerprintOf } from '../document/compose.ts'
import { type Compiled, type Document, type Hand, isEmpty, NO_HAND } from '../document/document.ts'
import { render, settled } from '../document/render.ts'
import { sinceReadOf, UP_TO_DATE } from '../document/since-read.ts'
import type { EntryChange } from '../events.ts'
import type { StoredEntry } from '../queries/entries.ts'
import { deleteEntry, saveEntry, setImproveAt } from '../queries/save.ts'

/** Rules that combine statements without a model. */
export const LOCAL = 'local'

/** A model's prose for the statements of a fingerprint, or why there is none. */
export type Draft =
  | { readonly fingerprint: string; readonly compiled: Compiled; readonly writtenBy: string }
  | { readonly fingerprint: string; readonly improveAt: Date | null }

/** A document with all that is stored beside it. */
export interface Version {
  readonly document: Document
  readonly fingerprint: string
  readonly writtenBy: string
  readonly improveAt: Date | null
  /** Somebody has just written it: it stands, also with nothing but its title. */
  readonly isEdited?: true
  /** It takes out what was deleted, so that its former is not kept as it was. */
  readonly isErasure?: boolean
}

export interface EntryInput {
  readonly category: string
  readonly statements: readonly KnownStatement[]
  readonly entities: readonly KnownEntity[]
  readonly entry: StoredEntry | undefined
  readonly draft?: Draft | undefined
  /** Made before the transaction, of these statements unless they changed. */
  readonly ahead?: Composed | undefined
}

/** Computes the new entry for these statements; the hand-written part is kept. */
export function versionFor({ category, statements, entities, entry, draft, ahead }: EntryInput): Version {
  const hand = entry?.document.hand ?? NO_HAND
  const composed = compose(statements, entities, hand.removed, ahead)
  const fingerprint = fingerprintOf(composed)
  const made = (compiled: Compiled, writtenBy: string, improveAt: Date | null) => ({
    document: { category, compiled, hand: settled(hand, compiled) },
    fingerprint,
    writtenBy,
    improveAt,
  })
  if (draft?.fingerprint === fingerprint && 'compiled' in draft) return made(draft.compiled, draft.writtenBy, null)
  // Prose stands while its statements do.
  if (entry?.fingerprint === fingerprint && entry.writtenBy !== LOCAL)
    return made(entry.document.compiled, entry.writtenBy, null)
  return made(composed, LOCAL, improvedAt(draft, fingerprint))
}

/** When what stands as it is should be written by a model: at once, where something changed while one wrote. */
function improvedAt(draft: Draft | undefined, fingerprint: string): Date | null {
  if (!draft) return null
  if (draft.fingerprint !== fingerprint) return new Date()
  return 'improveAt' in draft ? draft.improveAt : null
}

/**
 * Writes what an entry is to be. Without any difference in its content nothing is written but what is kept beside it, and the
 * version stays.
 * @returns undefined when readers see no change
 */
export async function writeVersion(
  tx: Tx,
  workspaceId: string,
  userId: string,
  entry: StoredEntry | undefined,
  version: Version,
): Promise<EntryChange | undefined> {
  const { document } = version
  const { category } = document
  if (isEmpty(document) && !version.isEdited) {
    if (!entry) return undefined
    await deleteEntry(tx, workspaceId, entry)
    return { id: entry.id, category, version: entry.version + 1, deleted: true }
  }
  const content = render(document)
  const id = entry?.id ?? uuidv7()
  if (entry?.content === content) {
    await writeBeside(tx, workspaceId, userId, entry, version)
    return undefined
  }
  const next = (entry?.version ?? 0) + 1
  await saveEntry(tx, workspaceId, {
    ...version,
    id,
    userId,
    content,
    ...sinceRead(document, entry),
    version: next,
    now: new Date(),
    former: entry?.document,
    keeps: !version.isErasure,
  })
  return { id, category, version: next }
}

/** Notes what nobody has seen of the document, and what each of its readers has not. */
function sinceRead(
  document: Document,
  entry: StoredEntry | undefined,
): Pick<StoredEntry, 'unread' | 'gone' | 'readers'> {
  if (!entry) return { ...UP_TO_DATE, readers: {} }
  const since = sinceReadOf(document, entry.document)
  const readers = Object.entries(entry.readers).map(([caller, last]) => [
    caller,
    { at: last.at, ...since({ ...UP_TO_DATE, ...last }) },
  ])
  return { ...since(entry), readers: Object.fromEntries(readers) }
}

/** Metadata that readers do not see: how the entry was made, and which lines were removed. */
async function writeBeside(
  tx: Tx,
  workspaceId: string,
  userId: string,
  entry: StoredEntry,
  { document, fingerprint, writtenBy, improveAt }: Version,
): Promise<void> {
  const isSame =
    entry.fingerprint === fingerprint && entry.writtenBy === writtenBy && sameHand(entry.document.hand, document.hand)
  if (isSame) {
    if (entry.improveAt?.getTime() !== improveAt?.getTime()) await setImproveAt(tx, workspaceId, entry.id, improveAt)
    return
  }
  const { id, content, unread, gone, readers, version, updatedAt } = entry
  const beside = { document, fingerprint, writtenBy, improveAt }
  await saveEntry(tx, workspaceId, {
    id,
    userId,
    content,
    unread,
    gone,
    readers,
    version,
    now: updatedAt,
    former: entry.document,
    keeps: false,
    ...beside,
  })
}

function sameHand(a: Hand, b: Hand): boolean {
  // Both have passed through the same JSON with its keys in the order of the type, but for those that Postgres sorts.
  const key = ({ title, remarks, sections, removed }: Hand) =>
    JSON.stringify([
      title,
      remarks.map(({ after, under, text, spaced }) => [after, under, text, spaced.before, spaced.after]),
      sections,
      removed.map(({ memory, hash }) => [memory, hash]),
    ])
  return key(a) === key(b)
}
