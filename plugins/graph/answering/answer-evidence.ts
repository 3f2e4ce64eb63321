import { type LanguageDetector, languageDetector, type Wiring } from 'mneme/plugin'
import { askedByUser, type QuestionKind, readQuestion } from 'text-reader/inquiries'
import { memoryReader } from '../../memories/contract.ts'
import type { EvidenceSource, MemoryEvidence } from '../../search/contract.ts'
import { possibleNames } from '../reading/spotting.ts'
import type { Fact, Place } from './facts.ts'
import { PARTS_MAX } from './named.ts'
import { seek } from './seek.ts'
import { isName } from './verdict.ts'

/** Facts of one answer. */
const FACTS_MAX = 20
/** Memories that state one fact, the newest. */
const MEMORIES_MAX = 10
/** A longer text tells more than it asks. */
const WORDS_MAX = 30
const ASKS_NO_FACT: ReadonlySet<QuestionKind> = new Set(['about', 'connection', 'other'])

/**
 * Memories that tell what a question asks, where the graph understands all of the question and knows the answer: "Who is my manager?" leads to
 * "I report to Dagmar", which shares no word with it.
 */
export function graphAnswers(wiring: Pick<Wiring, 'use'>): EvidenceSource {
  return {
    id: 'graph.answers',
    async evidence(tx, { workspaceId, query, userId, timezone }) {
      const text = askedByUser(query)
      const detector = await languageDetector()
      if (!mayBeAnswered(text, detector)) return new Map()
      const place: Place = { workspaceId, userId, at: undefined }
      const asker = { query: text, userId, timezone, limit: FACTS_MAX }
      const prepared = { names: possibleNames(text), vector: undefined, detector }
      const { question, named, finding } = await seek(tx, place, wiring.use(memoryReader), asker, prepared)
      // A word that is left asks for something else: "What bike do I own?" is not about all that one owns.
      const isWhole = question.unread.length === 0 && !ASKS_NO_FACT.has(question.kind)
      return isWhole && named.length > 0 ? tellingOf(finding.facts) : new Map()
    },
  }
}

/** Tells, without the database, whether a text may ask for a relationship: most queries end here. */
function mayBeAnswered(text: string, detector: LanguageDetector): boolean {
  if (text.split(/\s+/u, WORDS_MAX + 1).length > WORDS_MAX) return false
  const { kind, verb, roles, unread } = readQuestion(text, new Set(), detector)
  if (ASKS_NO_FACT.has(kind) || (verb === undefined && roles.length === 0 && kind !== 'where')) return false
  // A query with names in capitals has all of them so; in one without, each word may be one.
  return /\S.*\p{Lu}/su.test(text) ? unread.every(isName) : unread.length <= PARTS_MAX
}

/** A fact that answers is an answer, however old it is or weak it has become: how recent a memory is counts by itself. */
const STRENGTH = 1

function tellingOf(facts: readonly Fact[]): Map<string, MemoryEvidence> {
  return new Map(
    facts
      .slice(0, FACTS_MAX)
      .flatMap(({ source, target, memoryIds }) =>
        memoryIds
          .slice(0, MEMORIES_MAX)
          .map(
            memoryId => [memoryId, { strength: STRENGTH, names: [source.name, target.name], answers: true }] as const,
          ),
      ),
  )
}
