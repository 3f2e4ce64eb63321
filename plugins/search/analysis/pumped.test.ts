import { datesIn } from 'text-reader/dates'
import { describeLinear } from '../../../test/support/pumped.ts'
import { marksOf } from '../feedback/feedback.ts'
import { addressed, possibleNames } from '../query/plan.ts'
import { queryHash } from '../query/prepare.ts'
import { analyze } from './analyze.ts'
import { parseQuery } from './parse-query.ts'
import { readQuestion, readTraits, tellsTime } from './traits.ts'
import { toKeywordTsquery, toTsvector } from './tsvector.ts'

/** A memory's text. */
const text = 50_000
/** A query's. */
const query = 1_000
const now = new Date(0)

describeLinear({
  analyze: { read: given => toTsvector(analyze(given), 'p'), lengthMax: text },
  parseQuery: { read: given => toKeywordTsquery(parseQuery(given), 'p'), lengthMax: query },
  readTraits: { read: readTraits, lengthMax: text, openings: ['Ada'] },
  tellsTime: { read: tellsTime, lengthMax: text },
  readQuestion: { read: given => readQuestion(given, now), lengthMax: query, openings: ['when '] },
  datesIn: { read: given => datesIn(given, now), lengthMax: query, openings: ['in '] },
  addressed: { read: given => [possibleNames(given), addressed(given, ['ada lovelace'])], lengthMax: query },
  marksOf: { read: marksOf, lengthMax: query },
  queryHash: { read: queryHash, lengthMax: query },
})
