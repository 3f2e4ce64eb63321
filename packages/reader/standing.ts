import * as lexicons from './lexicons/index.ts'
import { tellsFormerly, tellsPast } from './negation.ts'
import { asks } from './questions.ts'
import { sentencesIn } from './sentences.ts'
import { wordingPattern, wordSet } from './words.ts'

/** It holds for every conversation with somebody: how to deal with them, what they cannot have or do, or who they are. */
export type Standing = 'identity' | 'instruction' | 'constraint'

/** A longer text is a story or a document, and a longer sentence no rule. */
const TEXT_MAX = 400
const SENTENCE_MAX = 160

const NAMING = wordingPattern(lexicons.NAMING_ONESELF)
const OWN_STATE = wordingPattern(lexicons.OWN_STATE)
const HEALTH = wordingPattern(lexicons.HEALTH_AND_DIET)
const ALWAYS = wordingPattern(lexicons.ALWAYS)
const TELLING = wordingPattern(lexicons.TELLING_THE_ASSISTANT)
const MANNERS = wordingPattern(lexicons.MANNERS_OF_ANSWERS)
const NO_IMPERATIVE = wordingPattern(lexicons.NO_IMPERATIVES)
const COURTESY = wordingPattern(lexicons.STANDING_COURTESIES)
const DAYS = wordSet(lexicons.DAYS)

/**
 * Tells whether the user states something that holds from now on for whoever speaks with them, by mood and person: an imperative to the assistant that is
 * not for once, a state of health or diet of the user's own, or the user's own name. What others are called, want or cannot eat is none of it.
 */
export function standingOf(text: string): Standing | undefined {
  if (text.length > TEXT_MAX) return undefined
  for (const { text: sentence } of sentencesIn(text)) {
    const found = standingIn(sentence)
    if (found) return found
  }
  return undefined
}

function standingIn(given: string): Standing | undefined {
  const sentence = given.trim().replace(COURTESY, '')
  if (sentence.length > SENTENCE_MAX || asks(sentence)) return undefined
  if (NAMING.test(sentence)) return 'identity'
  if (OWN_STATE.test(sentence) && HEALTH.test(sentence) && !tellsPast(sentence) && !tellsFormerly(sentence))
    return 'constraint'
  return isStandingOrder(sentence) ? 'instruction' : undefined
}

function isStandingOrder(sentence: string): boolean {
  if (isForOnce(sentence)) return false
  if (TELLING.test(sentence) || MANNERS.test(sentence)) return true
  return ALWAYS.test(sentence) && !NO_IMPERATIVE.test(sentence)
}

/** A request with a day is for that day. */
function isForOnce(sentence: string): boolean {
  const lasting = sentence.replace(ALWAYS, ' ').toLowerCase()
  return lasting.match(WORD)?.some(word => DAYS.has(word)) ?? false
}

const WORD = /[\p{L}\p{M}'’-]+/gu
