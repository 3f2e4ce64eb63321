import { languageDetector } from 'mneme/plugin'
import { describeLinear } from '../../../../test/support/pumped.ts'
import { readQuestion } from '../../answering/question.ts'
import { possibleNames } from '../../reading/spotting.ts'
import { normalName, withoutLegalForm } from '../../resolve/normal-name.ts'
import { NAME_MAX, QUESTION_MAX } from '../../schemas.ts'
import { memoryOf } from '../extractor.conformance.ts'
import { fold } from './fold.ts'
import { createLocalExtractor } from './local-extractor.ts'
import { isOutput } from './statements.ts'
import { sentencesOf } from './units.ts'

const detector = await languageDetector()
const extractor = createLocalExtractor()
const { signal } = new AbortController()

describeLinear({
  normalName: { read: text => withoutLegalForm(normalName(text)), lengthMax: 50_000 },
  fold: { read: fold, lengthMax: 50_000 },
  readQuestion: { read: text => readQuestion(text, new Set(), detector), lengthMax: QUESTION_MAX },
  possibleNames: { read: possibleNames, lengthMax: QUESTION_MAX },
  'possibleNames of a name': { read: possibleNames, lengthMax: NAME_MAX },
  sentencesOf: { read: text => [...sentencesOf(text)], lengthMax: 20_000 },
  isOutput: { read: isOutput, lengthMax: 50_000 },
  extract: {
    read: text => extractor.extract('w', [memoryOf(text, { userId: 'u' })], signal),
    lengthMax: 8_000,
  },
})
