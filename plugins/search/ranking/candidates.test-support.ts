import { readQuestion } from '../analysis/traits.ts'
import type { Candidate, CorpusStatistics } from '../engine/engine.ts'
import type { RankingContext } from './signal.ts'
import { DEFAULT_BALANCE } from './signals.ts'

export const NOW = new Date('2026-06-01T00:00:00.000Z')

export function candidate(memoryId: string, fields: Partial<Candidate> = {}): Candidate {
  return {
    memoryId,
    cosine: null,
    positions: new Map(),
    length: 10,
    statedAt: new Date('2026-05-01T00:00:00.000Z'),
    isDated: false,
    happenedAt: null,
    traits: {
      speaker: null,
      asking: 0,
      endsAsking: false,
      tellsTime: false,
      tellsQuantity: false,
      tellsName: false,
    },
    priority: 'MEDIUM',
    userId: 'ada',
    sessionId: null,
    sessionPosition: null,
    ...fields,
  }
}

export const CORPUS: CorpusStatistics = {
  documents: 1000,
  averageLength: 10,
  hasPassages: false,
  documentFrequency: new Map([
    ['tea', 3],
    ['drink', 200],
  ]),
}

export function context(fields: Partial<RankingContext> = {}): RankingContext {
  return {
    mode: 'hybrid',
    terms: ['tea', 'drink'],
    clauses: [[['tea']], [['drink']]],
    question: readQuestion('tea drink', NOW),
    corpus: CORPUS,
    cosineFloor: 0.2,
    balance: DEFAULT_BALANCE,
    now: NOW,
    ...fields,
  }
}
