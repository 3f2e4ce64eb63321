import { describeLinear } from '../../../test/support/pumped.ts'
import { fold } from './gazetteers.ts'
import { factsOfText } from './reading.test-support.ts'
import { isOutput } from './statements.ts'
import { sentencesOf } from './units.ts'

describeLinear({
  fold: { read: fold, lengthMax: 50_000 },
  sentencesOf: { read: text => [...sentencesOf(text)], lengthMax: 20_000 },
  isOutput: { read: isOutput, lengthMax: 50_000 },
  facts: { read: text => factsOfText(text, { userId: 'u' }), lengthMax: 8_000 },
})
