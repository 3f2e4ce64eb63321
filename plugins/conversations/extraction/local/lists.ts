import type { Sentence } from 'mneme/plugin'
import type { Verdict } from './judge.ts'
import { speechActs } from './speech-acts.ts'

/** Sentences that belong together are kept together up to this length. */
export const TOGETHER_MAX = 500

export interface Judged {
  readonly turn: number
  readonly message: string
  readonly sentence: Sentence
  readonly verdict: Verdict
}

const LEADS_IN = /[:：]\s*$/u
/** Matches the text between two items, or between the words before a list and its first item. */
const ITEM_BREAK = /\n[ \t]*(?:[-*•–—]|\(?\d{1,3}[.)])\s+$/u

/**
 * Joins the items of a list with the words that lead it in, since "Supabase" tells nothing without "Our stack:". Items in the first person
 * tell by themselves.
 */
export function withLists(judged: readonly Judged[], isFirstPerson: (sentence: string) => boolean): Judged[] {
  const joined: Judged[] = []
  for (let n = 0; n < judged.length; ) {
    const lead = judged[n]
    if (!lead) break
    const items = leadsIn(lead) ? itemsAfter(judged, n, isFirstPerson) : []
    const list = listOf(lead, items)
    joined.push(list ?? lead)
    n += list ? 1 + items.length : 1
  }
  return joined
}

function leadsIn({ sentence: { text } }: Judged): boolean {
  return (
    LEADS_IN.test(text) && !speechActs.isRequest(text) && !speechActs.isQuestion(text) && !speechActs.isCourtesy(text)
  )
}

/** Collects the items of the list right after the words at `from`, and none where one is in the first person. */
function itemsAfter(judged: readonly Judged[], from: number, isFirstPerson: (sentence: string) => boolean): Judged[] {
  const items: Judged[] = []
  for (const one of judged.slice(from + 1)) {
    const before = judged[from + items.length]
    if (!before || !ITEM_BREAK.test(one.message.slice(before.sentence.end, one.sentence.start))) break
    if (isFirstPerson(one.sentence.text)) return []
    items.push(one)
  }
  return items
}

function listOf(lead: Judged, items: readonly Judged[]): Judged | undefined {
  const end = items.at(-1)?.sentence.end
  if (end === undefined || end - lead.sentence.start > TOGETHER_MAX) return undefined
  const { start } = lead.sentence
  const verdict = [lead, ...items].some(one => one.verdict === 'statement') ? 'statement' : lead.verdict
  return { ...lead, sentence: { text: lead.message.slice(start, end), start, end }, verdict }
}
