import { hasFeature, languageDetector } from 'mneme/plugin'
import type { NamedFacts } from '../contract.ts'
import { possibleNames } from '../reading/spotting.ts'
import { FEATURE } from '../tasks/queue-step.ts'
import { namedIn } from './answer.ts'
import { sentenceOf } from './compose.ts'
import { factsOf, type Place } from './facts.ts'
import { readQuestion } from './question.ts'

/** A text that names more is hardly about any of them. */
const NAMES_MAX = 10

/** Tells facts in the language of the text, or in English where the graph has no words of it. */
export const factsInWords: NamedFacts = {
  async about({ workspaceId, workspace, transaction }, { text, userId, limit }) {
    if (!hasFeature(workspace, FEATURE)) return []
    const place: Place = { workspaceId, userId, at: undefined }
    const facts = await transaction(async tx => {
      const named = await namedIn(tx, place, possibleNames(text), NAMES_MAX)
      return factsOf(
        tx,
        place,
        named.flatMap(({ entities }) => entities.map(({ id }) => id)),
      )
    })
    const { language } = readQuestion(text, new Set(), await languageDetector())
    const held = facts.toSorted((a, b) => Number(b.current) - Number(a.current))
    return [...new Set(held.map(fact => sentenceOf(language, fact)))].slice(0, limit)
  },
}
