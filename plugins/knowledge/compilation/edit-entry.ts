import { Buffer } from 'node:buffer'
import { type Caller, type LanguageModel, type Tenant, type Tx, validationError } from 'mneme/plugin'
import { ARCHIVE_LINE_BYTES_MAX } from '../../memories/contract.ts'
import type { Composed } from '../document/compose.ts'
import { edited } from '../document/edit.ts'
import { namedIn } from '../document/markdown.ts'
import { settled } from '../document/render.ts'
import { type SinceRead, UP_TO_DATE } from '../document/since-read.ts'
import { failKnowledge } from '../errors.ts'
import { type EntryChange, updatedEvents } from '../events.ts'
import { namingKnown } from '../named-memories.ts'
import { type Entry, findEntry, holdEntry, type StoredEntry } from '../queries/entries.ts'
import { markRead } from '../queries/readers.ts'
import type { KnowledgeScope } from '../scope.ts'
import { LOCAL, type Version, versionFor, writeVersion } from './entry.ts'
import { composeCategories, holdFacts } from './facts.ts'

/** A document's written part, as JSON, goes into one line of an archive, beside its ids and times. */
export const HAND_BYTES_MAX = ARCHIVE_LINE_BYTES_MAX - 8 * 1024

export interface Edit {
  readonly content: string
  readonly version?: number | undefined
  readonly caller: string
  /** The order of its statements, made before the transaction. */
  readonly ahead?: Composed | undefined
}

const TOO_LARGE = `must leave at most ${HAND_BYTES_MAX} bytes that are written by hand, so that an export can hold them`

/** A text that is to be an entry's content, and the field of the request that it came by. */
type GivenText = Pick<Edit, 'content' | 'version'> & { readonly path: string }

/**
 * Has a caller give an entry another content, with the event of it. Throws KNOWLEDGE_NOT_FOUND, KNOWLEDGE_CHANGED and VALIDATION_ERROR.
 * @param textFor what the entry is to say, read in a transaction of its own
 */
export async function editByHand(
  scope: KnowledgeScope,
  { workspaceId, transaction }: Tenant,
  caller: Caller,
  id: string,
  textFor: (tx: Tx, entry: Entry) => Promise<GivenText>,
): Promise<Entry> {
  const { entry, given } = await transaction(async tx => {
    const found = await findEntry(tx, workspaceId, id)
    if (!found) throw failKnowledge('KNOWLEDGE_NOT_FOUND')
    return { entry: found, given: await textFor(tx, found) }
  })
  const ahead = await composeCategories(transaction, scope.wiring, entry.userId, [entry.category])
  const edit = { ...given, caller: caller.id, ahead: ahead.get(entry.category) }
  return transaction(async tx => {
    const change = await editEntry(tx, scope, workspaceId, entry, edit)
    if (change === 'gone') throw failKnowledge('KNOWLEDGE_NOT_FOUND')
    if (change === 'changed') throw failKnowledge('KNOWLEDGE_CHANGED')
    if (change === 'too-large') throw validationError([{ path: given.path, message: TOO_LARGE }])
    await scope.events.publish(tx, updatedEvents(workspaceId, entry.userId, change ? [change] : []))
    const now = await findEntry(tx, workspaceId, id)
    if (!now) throw failKnowledge('KNOWLEDGE_NOT_FOUND')
    await markRead(tx, workspaceId, [now], caller)
    return now
  })
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
