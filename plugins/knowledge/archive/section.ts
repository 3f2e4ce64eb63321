import { Buffer } from 'node:buffer'
import { compileValidator, hasFeature, type Static, type Tenant, Type, text, uuid } from 'mneme/plugin'
import {
  ARCHIVE_LINE_BYTES_MAX,
  type ArchiveRecord,
  type ArchiveSection,
  CATEGORY_MAX,
  ID_MAX,
} from '../../memories/contract.ts'
import { writeVersion } from '../compilation/entry.ts'
import { hasHand, NOTHING_COMPILED } from '../document/document.ts'
import { render, settled } from '../document/render.ts'
import { updatedEvents } from '../events.ts'
import { namingStored } from '../named-memories.ts'
import { lockUser } from '../queries/changes.ts'
import { findStoredAfter, holdEntriesOfUser, type StoredEntry } from '../queries/entries.ts'
import { CONTENT_MAX } from '../schemas.ts'
import { FEATURE, type KnowledgeScope } from '../scope.ts'

const TYPE = 'knowledge'
const ITEMS_MAX = 10_000
const words = () => text({ maxLength: CONTENT_MAX })
const wordsOrNull = () => Type.Union([words(), Type.Null()])

/** The part of a document that people wrote; what is compiled follows from the memories. */
const hand = Type.Object({
  title: wordsOrNull(),
  remarks: Type.Array(
    Type.Object({
      after: wordsOrNull(),
      under: wordsOrNull(),
      text: words(),
      spaced: Type.Object({ before: Type.Boolean(), after: Type.Boolean() }),
    }),
    { maxItems: ITEMS_MAX },
  ),
  sections: words(),
  removed: Type.Array(Type.Object({ memory: uuid(), hash: text({ maxLength: 200 }) }), { maxItems: ITEMS_MAX }),
})
const written = Type.Object({
  user_id: text({ minLength: 1, maxLength: ID_MAX }),
  category: text({ minLength: 1, maxLength: CATEGORY_MAX }),
  hand,
})
type Written = Static<typeof written>
const validator = compileValidator(written)

/** Compiled documents go along to be read; put back is what people wrote into them. */
export function createArchiveSection(scope: KnowledgeScope): ArchiveSection {
  return {
    name: 'knowledge',
    types: [TYPE],
    heedsCategories: true,
    async page(tx, workspaceId, { userId, categories }, after, limit) {
      const entries = await findStoredAfter(tx, workspaceId, { userId, categories }, after, limit)
      return { records: entries.map(recordOf), next: entries.length < limit ? undefined : entries.at(-1)?.id }
    },
    async restore(tenant, records) {
      const faults: { at: number; message: string }[] = []
      let restored = 0
      for (const [at, record] of records.entries()) {
        const reading = read(record)
        if ('fault' in reading) faults.push({ at, message: reading.fault })
        else if (reading.written && hasFeature(tenant.workspace, FEATURE)) {
          if (await restoreHand(scope, tenant, reading.written)) restored++
        }
      }
      return { restored, faults }
    },
  }
}

function recordOf(entry: StoredEntry): ArchiveRecord {
  const hand = hasHand(entry.document.hand) ? entry.document.hand : null
  const record = {
    type: TYPE,
    id: entry.id,
    user_id: entry.userId,
    category: entry.category,
    version: entry.version,
    hand,
    created_at: entry.createdAt.toISOString(),
    updated_at: entry.updatedAt.toISOString(),
  }
  const whole = { ...record, content: entry.content }
  // Both hold what people wrote, and only `hand` is put back.
  return hand && Buffer.byteLength(JSON.stringify(whole)) > ARCHIVE_LINE_BYTES_MAX ? record : whole
}

function read({ user_id, category, hand: given }: ArchiveRecord): { fault: string } | { written: Written | undefined } {
  if (given === null || given === undefined) return { written: undefined }
  const record = { user_id, category, hand: given }
  const [fault] = validator.faults(record)
  if (fault) return { fault: `${fault.path} ${fault.message}` }
  const written = record as Written
  const { length } = [
    ...render({ category: '', compiled: NOTHING_COMPILED, hand: settled(written.hand, NOTHING_COMPILED) }),
  ]
  if (length > CONTENT_MAX) return { fault: `hand must be at most ${CONTENT_MAX} characters in all` }
  return { written }
}

/** A document that is there already has its own words, which stay. */
async function restoreHand(
  { events, wiring }: KnowledgeScope,
  tenant: Tenant,
  { user_id, category, hand: written }: Written,
) {
  const { workspaceId } = tenant
  return tenant.transaction(async tx => {
    // A compilation of this user may be about to add the same document.
    await lockUser(tx, workspaceId, user_id)
    const own = await namingStored(tx, wiring, written)
    const [there] = await holdEntriesOfUser(tx, workspaceId, user_id, [category])
    if (there && hasHand(there.document.hand)) return false
    const document = { category, compiled: there?.document.compiled ?? NOTHING_COMPILED, hand: own }
    const { fingerprint, writtenBy, improveAt } = there ?? { fingerprint: '', writtenBy: 'local', improveAt: null }
    const change = await writeVersion(tx, workspaceId, user_id, there, { document, fingerprint, writtenBy, improveAt })
    await events.publish(tx, updatedEvents(workspaceId, user_id, change ? [change] : []))
    return change !== undefined
  })
}
