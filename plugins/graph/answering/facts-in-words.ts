import { hasFeature, languageDetector, type Tx } from 'mneme/plugin'
import type { NamedFacts } from '../contract.ts'
import { possibleNames } from '../reading/spotting.ts'
import { FEATURE } from '../tasks/queue-step.ts'
import { namedIn, namedInPart, wordsOf } from './answer.ts'
import { sentenceOf } from './compose.ts'
import { factsOf, type Place } from './facts.ts'
import { type Question, readQuestion } from './question.ts'
import { isName, type Named } from './verdict.ts'

/** A text that names more is hardly about any of them. */
const NAMES_MAX = 10
/** Words that may be a part of a name. */
const PARTS_MAX = 3

/** Tells facts in the language of the text, or in English where the graph has no words of it. */
export const factsInWords: NamedFacts = {
  async about({ workspaceId, workspace, transaction }, { text, userId, limit }) {
    if (!hasFeature(workspace, FEATURE)) return []
    const place: Place = { workspaceId, userId, at: undefined }
    const detector = await languageDetector()
    return transaction(async tx => {
      const named = await namedIn(tx, place, possibleNames(text), NAMES_MAX)
      const question = readQuestion(text, wordsOf(named), detector)
      const ids = [...idsOf(named), ...(await meantByPart(tx, place, question))]
      const facts = await factsOf(tx, place, ids)
      return [...new Set(facts.map(fact => sentenceOf(question.language, fact)))].slice(0, limit)
    })
  },
}

function idsOf(named: readonly Named[]): string[] {
  return named.flatMap(({ entities }) => entities.map(({ id }) => id))
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
