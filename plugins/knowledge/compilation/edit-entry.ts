import { Buffer } from 'node:buffer'
import type { LanguageModel, Tx } from 'mneme/plugin'
import { ARCHIVE_LINE_BYTES_MAX } from '../../memories/contract.ts'
import type { Composed } from '../document/compose.ts'
import { edited } from '../document/edit.ts'
import { namedIn } from '../document/markdown.ts'
import { settled } from '../document/render.ts'
import { type SinceRead, UP_TO_DATE } from '../document/since-read.ts'
import type { EntryChange } from '../events.ts'
import { namingKnown } from '../named-memories.ts'
import { holdEntry, type StoredEntry } from '../queries/entries.ts'
import type { KnowledgeScope } from '../scope.ts'
import { LOCAL, type Version, versionFor, writeVersion } from './entry.ts'
import { holdFacts } from './facts.ts'

/** A document's written part, as JSON, goes into one line of an archive, beside its ids and times. */
export const HAND_BYTES_MAX = ARCHIVE_LINE_BYTES_MAX - 8 * 1024

export interface Edit {
  readonly content: string
  readonly version?: number | undefined
  readonly caller: string
  /** The order of its statements, made before the transaction. */
  readonly ahead?: Composed | undefined
}

/**
 * Makes an edited text the entry's content. It is compiled at once with the statements of this moment, so that a compilation
 * afterwards finds nothing to do; prose keeps its sentences.
 */
export async function editEntry(
  tx: Tx,
  { wiring, language }: Pick<KnowledgeScope, 'wiring' | 'language'>,
  workspaceId: string,
  entry: Pick<StoredEntry, 'id' | 'userId' | 'category'>,
  edit: Edit,
): Promise<'gone' | 'changed' | 'too-large' | EntryChange | undefined> {
  const { userId, category } = entry
  // Memories are held before entries, as deletions do it.
  const facts = await holdFacts(tx, wiring, userId, [category], namedIn(edit.content))
  const held = await holdEntry(tx, workspaceId, entry.id)
  if (!held) return 'gone'
  if (edit.version !== undefined && edit.version !== held.version) return 'changed'
  const { ahead } = edit
  const input = { category, statements: facts.statements.get(category) ?? [], entities: facts.entities, ahead }
  const since = edit.version === undefined ? sinceReadBy(held, edit) : UP_TO_DATE
  const read = edited(held.document, edit.content, since)
  const document = await namingKnown(tx, wiring, workspaceId, held.document, read)
  if (Buffer.byteLength(JSON.stringify(document.hand)) > HAND_BYTES_MAX) return 'too-large'
  const before = versionFor({ ...input, entry: held })
  const after = versionFor({ ...input, entry: { ...held, document, fingerprint: '' } })
  const version =
    held.writtenBy === LOCAL
      ? { ...after, improveAt: improvedAt(held, after, language) }
      : prose(held, before, after, document)
  return writeVersion(tx, workspaceId, userId, held, { ...version, isEdited: true })
}

/** A caller that is not noted as a reader may have it from anyone who is. */
function sinceReadBy(held: StoredEntry, { caller }: { readonly caller: string }): SinceRead {
  return { ...UP_TO_DATE, ...(held.readers[caller] ?? held) }
}

/** An edited list goes on waiting for the prose that it waited for; of other statements a model may write it at once. */
function improvedAt(held: StoredEntry, after: Version, { modelId }: Pick<LanguageModel, 'modelId'>): Date | null {
  return modelId !== 'none' && after.fingerprint !== held.fingerprint ? new Date() : held.improveAt
}

/** Prose that was up to date still is, without what was taken out; other prose is written anew when its turn comes. */
function prose(held: StoredEntry, before: Version, after: Version, document: Version['document']): Version {
  return {
    document: { ...document, hand: settled(document.hand, document.compiled) },
    fingerprint: before.fingerprint === held.fingerprint ? after.fingerprint : '',
    writtenBy: held.writtenBy,
    improveAt: held.improveAt,
  }
}
