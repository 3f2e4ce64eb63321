import { LanguageModelOutputError, LanguageModelUnavailableError, lexicons, wordSet } from 'mneme/plugin'
import { type Draft, LOCAL } from '../compilation/entry.ts'
import { readVisibleFactsWithoutLock } from '../compilation/facts.ts'
import { compose, composeAhead, fingerprintOf } from '../document/compose.ts'
import { type Compiled, NO_HAND } from '../document/document.ts'
import { findEntriesOfUser, type StoredEntry } from '../queries/entries.ts'
import type { KnowledgeScope } from '../scope.ts'
import { proseSchema, TASK } from './answer.ts'
import { isCheckable } from './check-sentence.ts'
import { proseOf } from './read-answer.ts'

/** Longer documents stay lists: nobody reads that much prose, and an answer of that length takes minutes. */
const LINES_MAX = 120
const CHARS_MAX = 20_000
/** A few statements are read faster as they are. */
const LINES_MIN = 2
const OUTPUT_TOKENS = 8_000
const TIMEOUT_MS = 90_000

/** When a model that is away, and does not say for how long, is asked again. */
const AWAY_MS = 300_000
const AWAY_MS_MAX = 86_400_000

/**
 * Has a language model write what changed, category by category at once, before the transaction of the compilation. That one takes
 * a draft only if the statements are still the same; without one the statements stand as they are. That a model was not worth asking is a
 * draft as well: it holds for these statements alone.
 */
export async function writeDrafts(
  scope: Pick<KnowledgeScope, 'database' | 'wiring' | 'language'>,
  workspaceId: string,
  userId: string,
  categories: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Draft>> {
  if (scope.language.modelId === 'none' || categories.length === 0) return new Map()
  const { facts, entries } = await scope.database.workspace(workspaceId, async tx => ({
    facts: await readVisibleFactsWithoutLock(tx, scope.wiring, userId, categories),
    entries: await findEntriesOfUser(tx, workspaceId, userId, categories),
  }))
  const person = namesOf(userId)
  const drafts = await Promise.all(
    categories.map(async category => {
      const entry = entries.find(other => other.category === category)
      const removed = entry?.document.hand.removed ?? NO_HAND.removed
      const statements = facts.statements.get(category) ?? []
      const composed = compose(statements, facts.entities, removed, await composeAhead(statements, facts.entities))
      const draft = isWorthWriting(composed, entry)
        ? await write(scope, { workspaceId, category, ...person, composed, signal })
        : { fingerprint: fingerprintOf(composed), improveAt: null }
      return [category, draft] as const
    }),
  )
  return new Map(drafts)
}

function isWorthWriting(composed: Compiled, entry: StoredEntry | undefined): boolean {
  const lines = composed.sections.flatMap(section => section.lines)
  const chars = lines.reduce((sum, { text }) => sum + text.length, 0)
  if (lines.length < LINES_MIN || lines.length > LINES_MAX || chars > CHARS_MAX) return false
  // A page with one sentence that cannot be checked is refused, and would have been paid for.
  if (!lines.every(({ text }) => isCheckable(text))) return false
  if (entry?.fingerprint !== fingerprintOf(composed)) return true
  // A model has written prose for these statements already, or returned nothing usable.
  return entry.writtenBy === LOCAL && entry.improveAt !== null
}

interface Writing {
  readonly workspaceId: string
  readonly category: string
  readonly name: string | null
  readonly names: readonly string[]
  readonly composed: Compiled
  readonly signal: AbortSignal
}

async function write(
  { language }: Pick<KnowledgeScope, 'language'>,
  { workspaceId, category, name, names, composed, signal }: Writing,
): Promise<Draft> {
  const fingerprint = fingerprintOf(composed)
  const lines = composed.sections.flatMap(section => section.lines)
  try {
    const { value } = await language.generate({
      operation: 'writing',
      workspaceId,
      system: TASK,
      input: JSON.stringify({ topic: category, name, statements: lines.map(({ text }, n) => ({ n, text })) }),
      schema: proseSchema,
      maxTokens: OUTPUT_TOKENS,
      timeoutMs: TIMEOUT_MS,
      signal,
    })
    const compiled = proseOf(value, composed, lines, names)
    return compiled ? { fingerprint, compiled, writtenBy: language.modelId } : { fingerprint, improveAt: null }
  } catch (error) {
    // The same statements would hardly fare better.
    if (error instanceof LanguageModelOutputError) return { fingerprint, improveAt: null }
    if (!(error instanceof LanguageModelUnavailableError)) throw error
    const pauseMs = Math.min(error.retryAfterMs ?? AWAY_MS, AWAY_MS_MAX)
    return { fingerprint, improveAt: new Date(Date.now() + pauseMs) }
  }
}

/** Matches an id that reads like a name. */
const SPOKEN = new RegExp(`^(?!(?:${lexicons.PLACEHOLDER_NAMES.join('|')})$)\\p{L}[\\p{L}\\p{M}'’-]{1,30}$`, 'iu')
const NOUNS = wordSet(lexicons.PERSON_NOUNS)

/**
 * Lists the names that any sentence may use for the person: by the id, which is no text of a memory. A name that memories tell may be used where
 * a statement has it, so that it goes with the memory that tells it.
 */
function namesOf(userId: string): { name: string | null; names: string[] } {
  const name = SPOKEN.test(userId) ? userId.charAt(0).toUpperCase() + userId.slice(1) : null
  return { name, names: [...(name === null ? [] : [name]), userId, ...NOUNS] }
}
