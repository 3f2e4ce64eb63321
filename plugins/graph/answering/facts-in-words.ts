import { hasFeature, languageDetector, type Tx } from 'mneme/plugin'
import { type Question, readQuestion } from 'text-reader/inquiries'
import type { NamedFacts } from '../contract.ts'
import { possibleNames } from '../reading/spotting.ts'
import { FEATURE } from '../tasks/queue-step.ts'
import { sentenceOf, withoutId } from './compose.ts'
import { type Fact, factsOf, type Place } from './facts.ts'
import { namedIn, namedInPart, PARTS_MAX, wordsOf } from './named.ts'
import { namesakesOf } from './namesakes.ts'
import { idsOf, isName } from './verdict.ts'

/** A text that names more is hardly about any of them. */
const NAMES_MAX = 10

/** Tells facts in the language of the text, or in English where the graph has no words of it. */
export const factsInWords: NamedFacts = {
  async about({ workspaceId, workspace, transaction }, { text, userId, limit }) {
    if (!hasFeature(workspace, FEATURE)) return []
    const place: Place = { workspaceId, userId, at: undefined }
    const detector = await languageDetector()
    return transaction(async tx => {
      const named = await namedIn(tx, place, possibleNames(text), NAMES_MAX)
      const question = readQuestion(text, wordsOf(named), detector)
      const facts = await factsAbout(tx, place, [...named.flatMap(idsOf), ...(await meantByPart(tx, place, question))])
      return [
        ...new Set(facts.map(fact => sentenceOf(question.language, withoutId(fact, userId, question.language)))),
      ].slice(0, limit)
    })
  },
}

/** Where nothing is known of one, it tells what is known of the only one who has the name as a part of theirs. */
async function factsAbout(tx: Tx, place: Place, ids: readonly string[]): Promise<Fact[]> {
  const facts = await factsOf(tx, place, ids)
  const known = new Set(facts.flatMap(({ source, target }) => [source.id, target.id]))
  const namesakes = await namesakesOf(
    tx,
    place,
    ids.filter(id => !known.has(id)),
  )
  const further = await factsOf(
    tx,
    place,
    namesakes.map(({ id }) => id),
  )
  return [...facts, ...further]
}

/** "Grace" is Grace Hopper, where nobody else has that name. */
async function meantByPart(tx: Tx, place: Place, { unread }: Pick<Question, 'unread'>): Promise<string[]> {
  const meant: string[] = []
  for (const word of unread.filter(isName).slice(0, PARTS_MAX)) {
    const [only, ...others] = await namedInPart(tx, place, word, 2)
    if (only && others.length === 0) meant.push(only.id)
  }
  return meant
}
