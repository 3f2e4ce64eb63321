import { languageDetector } from 'mneme/plugin'
import { readQuestion } from 'text-reader/inquiries'
import { describeLinear } from '../../../test/support/pumped.ts'
import { normalName, withoutLegalForm } from '../resolve/normal-name.ts'
import { NAME_MAX, QUESTION_MAX } from '../schemas.ts'
import { possibleNames } from './spotting.ts'

const detector = await languageDetector()

describeLinear({
  normalName: { read: text => withoutLegalForm(normalName(text)), lengthMax: 50_000 },
  readQuestion: { read: text => readQuestion(text, new Set(), detector), lengthMax: QUESTION_MAX },
  possibleNames: { read: possibleNames, lengthMax: QUESTION_MAX },
  'possibleNames of a name': { read: possibleNames, lengthMax: NAME_MAX },
})
