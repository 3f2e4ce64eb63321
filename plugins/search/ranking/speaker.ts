import { Type } from '@sinclair/typebox'
import { UNSPACED_LETTERS } from 'mneme/plugin'
import type { Candidate } from '../engine/engine.ts'
import type { Signal } from './signal.ts'

export const speaker: Signal = {
  id: 'speaker',
  weight: 1,
  neutral: 1,
  of: ({ candidates, question }) => speakerFactor(candidates, question.words),
  explain: Type.Number({ description: 'Below 1 when the speaker is not the one that the query names.' }),
}

/** A text by a speaker other than the named one keeps this share of its evidence. */
const OTHER_SPEAKER = 0.65
const UNSPACED_NAME = new RegExp(`^[${UNSPACED_LETTERS}]{2,}$`, 'u')

/**
 * In transcripts ("Ada: …") a question about a person is mostly answered by that person. If the query names exactly one of several
 * speakers, texts by the others count less; texts without a speaker are unaffected. Where people talk with each other, only they are
 * speakers: "Note: …" outside of a conversation is a heading.
 * @param words words of the query in lower case
 */
function speakerFactor(candidates: readonly Candidate[], words: ReadonlySet<string>): (candidate: Candidate) => number {
  const all = new Set(candidates.flatMap(({ traits }) => traits.speaker ?? []))
  const talking = talkingWithEachOther(candidates)
  const speakers = talking.size > 0 ? talking : all
  const named = [...speakers].filter(speaker => isNamed(speaker, words))
  if (named.length !== 1 || speakers.size < 2) return () => 1
  const [only] = named
  const others = new Set([...speakers].filter(speaker => speaker !== only))
  return ({ traits: { speaker } }) => (speaker !== null && others.has(speaker) ? OTHER_SPEAKER : 1)
}

/** Returns the names that begin at least two texts, in sessions where another name does so too. */
function talkingWithEachOther(candidates: readonly Candidate[]): ReadonlySet<string> {
  const sessions = new Map<string, string[]>()
  const turns = new Map<string, number>()
  for (const { userId, sessionId, traits } of candidates) {
    if (sessionId === null || traits.speaker === null) continue
    const session = JSON.stringify([userId, sessionId])
    sessions.set(session, [...(sessions.get(session) ?? []), traits.speaker])
    turns.set(traits.speaker, (turns.get(traits.speaker) ?? 0) + 1)
  }
  const talks = [...sessions.values()].filter(names => new Set(names).size > 1)
  return new Set(talks.flat().filter(name => (turns.get(name) ?? 0) > 1))
}

/** A speaker is named by the full name or its first word ("Ada" names "Ada Lovelace"); in scripts without spaces within a longer word. */
function isNamed(speaker: string, words: ReadonlySet<string>): boolean {
  const [first = ''] = speaker.split(' ')
  return words.has(first) || (UNSPACED_NAME.test(first) && [...words].some(word => word.includes(first)))
}
