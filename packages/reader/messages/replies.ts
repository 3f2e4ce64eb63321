import { deniesVerb, firstPersonIn, phrasePattern, type Sentence, tellsPast } from '../index.ts'
import { PAST_VERBS } from '../lexicons/grammar.ts'
import { CLAUSE_MARK, isOfMachine, sentencesOf } from './sentences.ts'
import {
  type Fact,
  type Language,
  languageOfMessage,
  speechActs,
  substanceOf,
  type Turn,
  withoutLeadIn,
} from './words.ts'

/** So many sentences of a reply are kept, and so many characters. */
const SENTENCES_MAX = 4
const CHARACTERS_MAX = 600
const ASKED_MAX = 300
/** Content words without which advice that names nothing says too little. */
const ADVICE_WORDS_MIN = 3
/** A reply that nobody asked for is mostly talk, so it has to say more. */
const UNASKED_WORDS_MIN = 3

/**
 * Keeps of the assistant's turns what it recommends, decides, promises, finds out or does, word for word behind what it was asked. What that is is judged
 * by the pair: a sentence counts that speaks of the assistant itself, and behind a question or a request one that names something, orders, or tells
 * what was done. Explanations and courtesies are passed over.
 *
 * @param turns in order, the user's among them; of those before `from` none is kept
 */
export async function localReplies(turns: readonly Turn[], from = 0): Promise<Fact[]> {
  const replies: Fact[] = []
  let asked: Asked | undefined
  for (const { turn, role, text } of turns) {
    if (role === 'user') asked = await askedIn(text)
    else if (turn >= from) {
      const told = await toldIn(text, asked)
      if (told !== undefined) replies.push({ turn, text: pairOf(asked, told) })
    }
  }
  return replies
}

/** The user wants this of the assistant. */
interface Asked {
  readonly sentence: string
  /** To do something, rather than to say it. */
  readonly isRequest: boolean
}

/** Finds the last sentence of a message that asks or orders. */
async function askedIn(text: string): Promise<Asked | undefined> {
  const language = await languageOfMessage(text)
  for (const { text: sentence } of sentencesOf(text).toReversed()) {
    const said = withoutLeadIn(sentence)
    if (isOfMachine(sentence) || sentence.length > ASKED_MAX) continue
    if (speechActs.isRequest(said, language.isOrder)) return { sentence, isRequest: true }
    if (speechActs.isQuestion(said)) return { sentence, isRequest: false }
  }
  return undefined
}

async function toldIn(text: string, asked: Asked | undefined): Promise<string | undefined> {
  const language = await languageOfMessage(text)
  const kept: Sentence[] = []
  let characters = 0
  for (const sentence of sentencesOf(text)) {
    if (!isTold(sentence.text, asked, language)) continue
    characters += sentence.text.length
    if (kept.length === SENTENCES_MAX || characters > CHARACTERS_MAX) break
    kept.push(sentence)
  }
  return kept.length > 0 ? kept.map(sentence => sentence.text).join(' ') : undefined
}

function isTold(sentence: string, asked: Asked | undefined, language: Language): boolean {
  if (isOfMachine(sentence)) return false
  const said = withoutLeadIn(sentence)
  const { words, hasName } = substanceOf(said, language)
  if (words === 0) return false
  if (speechActs.isSuggestion(said)) return asked !== undefined
  if (speechActs.isQuestion(said) || speechActs.isThanks(said) || speechActs.isAssistantsCourtesy(said)) return false
  const isNamed = hasName || NAMED_FIRST.test(said)
  const isOfItself = firstPersonIn(said, language.code) !== undefined && !speechActs.isRequest(said)
  // "I can't see your screen" says what it does not do.
  if (isOfItself && deniesVerb(said.split(CLAUSE_MARK)[0] ?? said)) return false
  if (!asked) return isOfItself && isNamed && words >= UNASKED_WORDS_MIN && !speechActs.isCourtesy(said)
  if (isOfItself) return isNamed || words > 1
  if (isNamed) return words > 1
  if (asked.isRequest && (tellsPast(said) || PAST.test(said))) return words > 1
  return language.isOrder(said) && words >= ADVICE_WORDS_MIN
}

/** A name that begins a sentence shows by a capital inside it, or a second one behind it: "ClickHouse", "Mar Azul". */
const NAMED_FIRST = /^(?:\p{Lu}\p{Ll}+\p{Lu}|\p{Lu}\p{Ll}+\s\p{Lu}|["“«„])/u
const PAST = phrasePattern(PAST_VERBS)

function pairOf(asked: Asked | undefined, told: string): string {
  return asked ? `User: ${asked.sentence}\nAssistant: ${told}` : `Assistant: ${told}`
}
