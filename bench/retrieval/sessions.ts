import type { Conversation } from './corpus.ts'
import { type Asked, row } from './report.ts'

/** Measures a question's sessions, each of which is found where the first of its texts is. */
interface SessionMeasures {
  readonly category: string
  /** The share of the sessions with evidence, whether any and whether all of them were among the first 5 and 10. */
  readonly cells: readonly number[]
}

const COLUMNS = ['share@5', 'any@5', 'all@5', 'share@10', 'any@10', 'all@10', 'NDCG@10', 'MRR']

/** Prints what others publish, recall of whole sessions, for all questions and by category. */
export function printSessions(conversations: readonly Conversation[], asked: readonly Asked[]): void {
  const questions = conversations.flatMap(conversation =>
    conversation.questions.map(question => ({ question, sessionOf: sessionsOf(conversation) })),
  )
  const measured = questions.map(({ question, sessionOf }, n): SessionMeasures => {
    const expected = question.sessions ?? question.evidence.map(id => sessionOf.get(id) ?? id)
    const found = (asked[n]?.found ?? []).map(id => sessionOf.get(String(id)))
    return {
      category: String(question.category ?? ''),
      cells: measuresOf([...new Set(found)], new Set(expected)),
    }
  })
  console.log(`\n${row('sessions', 'n', COLUMNS)}`)
  console.log(rowOf('all', measured))
  for (const category of [...new Set(measured.map(one => one.category))].sort()) {
    const those = measured.filter(one => one.category === category)
    console.log(rowOf(`category ${category}`, those))
  }
}

function sessionsOf({ turns }: Conversation): Map<string, string> {
  return new Map(turns.map(({ id, session }) => [id, session ?? id]))
}

/** NDCG as of Järvelin and Kekäläinen (2002), with a gain of one for each expected session. */
function measuresOf(found: readonly unknown[], expected: ReadonlySet<unknown>): number[] {
  const among = (depth: number) => found.slice(0, depth).filter(session => expected.has(session)).length
  const at = (depth: number) => [
    among(depth) / expected.size,
    among(depth) > 0 ? 1 : 0,
    among(depth) === expected.size ? 1 : 0,
  ]
  const gain = (place: number) => 1 / Math.log2(place + 2)
  const gained = found.slice(0, 10).reduce<number>((sum, one, n) => sum + (expected.has(one) ? gain(n) : 0), 0)
  const ideal = Array.from({ length: Math.min(10, expected.size) }, (_, n) => gain(n)).reduce((a, b) => a + b, 0)
  const first = found.findIndex(session => expected.has(session))
  return [...at(5), ...at(10), gained / ideal, first < 0 ? 0 : 1 / (first + 1)]
}

function rowOf(name: string, measured: readonly SessionMeasures[]): string {
  const mean = (n: number) => measured.reduce((sum, { cells }) => sum + (cells[n] ?? 0), 0) / measured.length
  return row(
    name,
    String(measured.length),
    COLUMNS.map((_, n) => mean(n).toFixed(4)),
  )
}
