import { firstPersonIn, unwrapped } from 'mneme/plugin'
import type { Fact, Turn } from '../../conversation.ts'
import { distinctFacts } from '../distinct-facts.ts'
import { judge, refersBack } from './judge.ts'
import { type Judged, TOGETHER_MAX, withLists } from './lists.ts'
import { pastedFrom } from './machine.ts'
import { sentencesOf } from './sentences.ts'
import { speechActs, withoutLeadIn } from './speech-acts.ts'
import { languageOfMessage } from './words.ts'

/** Tells which sentences hold a typed fact, such as who works where; in the order given. */
export type FindFacts = (sentences: readonly string[]) => Promise<readonly boolean[]>

/** So much of each turn tells the language of one that is too short to tell. */
const SAMPLE_LENGTH = 200
/** Thin sentences of a window that are looked at more closely. */
const THIN_MAX = 100

/**
 * Extracts the statements of the user's turns word for word. Questions, requests, courtesies, and the words of machines and of others are
 * passed over; so is a short answer that means nothing without its question.
 */
export async function localFacts(turns: readonly Turn[], findFacts: FindFacts | undefined): Promise<Fact[]> {
  const own = turns.filter(({ role }) => role === 'user')
  const said = own.map(({ text }) => text.slice(0, SAMPLE_LENGTH)).join('\n')
  const judged = (await Promise.all(own.map(turn => judgeTurn(turn, said)))).flat()
  const thin = judged.filter(({ verdict }) => verdict === 'thin').slice(0, THIN_MAX)
  const found = thin.length > 0 && findFacts ? await findFacts(thin.map(({ sentence }) => sentence.text)) : []
  const telling = new Set(thin.filter((_, n) => found[n]))
  return distinctFacts(together(judged, one => one.verdict === 'statement' || telling.has(one)))
}

async function judgeTurn({ turn, text }: Turn, said: string): Promise<Judged[]> {
  const language = await languageOfMessage(text, said)
  const sentences = sentencesOf(text)
  const material = sentences.findIndex(sentence => asksAboutMaterial(sentence.text))
  const own = material === -1 ? sentences : sentences.slice(0, material)
  const message = unwrapped(text)
  const pasted = pastedFrom(message, own)
  // Beside "You are a … assistant" the rest may be a prompt's as well, but not what the user says of himself.
  const isOfUser = speechActs.givesRole(text)
    ? (sentence: string) => firstPersonIn(sentence, language.code) !== undefined
    : () => true
  const judged = own.map(sentence => {
    const verdict = isOfUser(sentence.text) && !pasted.has(sentence) ? judge(sentence.text, language) : 'nothing'
    return { turn, message, sentence, verdict }
  })
  return withLists(judged, sentence => firstPersonIn(sentence, language.code) !== undefined)
}

/** "Correct this text: …": what follows is no statement of the user's. */
function asksAboutMaterial(sentence: string): boolean {
  const said = withoutLeadIn(sentence)
  const asks = speechActs.isRequest(said) || speechActs.isQuestion(said) || /[:：]\s*$/.test(said)
  return asks && speechActs.isAboutMaterial(said)
}

/** Joins sentences with those right before that they refer to, so that each memory says whom it is about. */
function together(judged: readonly Judged[], isKept: (one: Judged) => boolean): Fact[] {
  const facts: Fact[] = []
  let open: { start: number; last: Judged } | undefined
  const close = () => {
    if (open) facts.push({ turn: open.last.turn, text: open.last.message.slice(open.start, open.last.sentence.end) })
    open = undefined
  }
  for (const [n, one] of judged.entries()) {
    const joins: boolean =
      open !== undefined &&
      open.last === judged[n - 1] &&
      open.last.turn === one.turn &&
      one.verdict !== 'nothing' &&
      refersBack(one.sentence.text) &&
      one.sentence.end - open.start <= TOGETHER_MAX &&
      !one.message.slice(open.last.sentence.end, one.sentence.start).includes('\n')
    if (open && joins) {
      open = { start: open.start, last: one }
      continue
    }
    close()
    if (isKept(one)) open = { start: one.sentence.start, last: one }
  }
  close()
  return facts
}
