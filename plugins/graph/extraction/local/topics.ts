import type { EntityType } from '../../contract.ts'
import type { Fact } from './fact.ts'
import type { SentenceFacts, Typing } from './facts.ts'
import { type Frame, mentionsIn, pattern } from './frame.ts'
import type { Mention } from './mention.ts'
import { phraseBetween } from './noun-phrases.ts'
import { NOT_A_TOPIC, TOPICS } from './rules/topics.ts'
import type { Subject } from './talk.ts'
import { ALWAYS } from './times.ts'

/** Adds what pleases, or pleases no more, where it is the subject: "sushi bores me now". */
export function withTopics(frame: Frame, found: SentenceFacts): SentenceFacts {
  if (frame.isQuestion) return found
  const facts: Fact[] = []
  const typings: Typing[] = []
  for (const [source, isOver] of TOPICS) {
    for (const match of frame.text.matchAll(pattern(source))) {
      const who = subjectIn(frame, match)
      const topic = topicIn(frame, match)
      if (!who || !topic || facts.some(({ target }) => target === topic)) continue
      typings.push({ mention: topic, type: topic.type ?? ('THING' satisfies EntityType) })
      if (who !== 'user') typings.push({ mention: who, type: 'PERSON' })
      const ends = isOver ? { onlyEnds: true } : {}
      const { start, end } = topic
      facts.push({
        type: 'LIKES',
        source: who,
        target: topic,
        closes: isOver,
        ...ends,
        confidence: 0.75,
        validity: ALWAYS,
        start,
        end,
      })
    }
  }
  return facts.length === 0
    ? found
    : { ...found, facts: [...found.facts, ...facts], typings: [...found.typings, ...typings] }
}

function subjectIn(frame: Frame, match: RegExpExecArray): Subject | undefined {
  if (!match.groups?.s) return 'user'
  const [one, ...more] = mentionsIn(frame, match.groups.s)
  if (!one || more.length > 0) return undefined
  // First names are small towns too.
  const { type = 'PERSON', confidence } = one
  return type === 'PERSON' || (type === 'PLACE' && confidence < 0.7) ? one : undefined
}

function topicIn(frame: Frame, match: RegExpExecArray): Mention | undefined {
  const words = match.groups?.t ?? ''
  const [name, ...more] = mentionsIn(frame, words)
  if (name) return more.length === 0 && words.length === 1 ? name : undefined
  if (NOT_A_TOPIC.test(words)) return undefined
  const from = frame.pieceAt(match.index + match[0].indexOf(words))
  return phraseBetween(frame, from, from + words.split(' ').length)
}
