import { describeLinear } from '../../../../test/support/pumped.ts'
import { CONTENT_MAX } from '../../schemas.ts'
import { isBorneOut, keepsDenials } from './check.ts'

const lengthMax = CONTENT_MAX

describeLinear({
  isBorneOut: { read: text => isBorneOut('I like tea.', 'I like tea', `${text} I like tea`, text), lengthMax },
  keepsDenials: { read: text => keepsDenials('I like tea.', 'like tea', `${text} like tea`), lengthMax },
})
