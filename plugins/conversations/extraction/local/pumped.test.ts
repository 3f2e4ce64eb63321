import { describe, expect, test } from 'bun:test'
import { describeLinear } from '../../../../test/support/pumped.ts'
import { CONTENT_MAX } from '../../schemas.ts'
import { isBorneOut, keepsDenials } from '../model/check.ts'
import { clausesIn } from './clauses.ts'
import { localFacts } from './local-facts.ts'
import { isOfMachine } from './machine.ts'
import { sentencesOf } from './sentences.ts'
import { askedToKeep, speechActs, withoutLeadIn } from './speech-acts.ts'
import { languageOfMessage, substanceOf } from './words.ts'

const lengthMax = CONTENT_MAX
/** A sentence's length. */
const sentence = 1_000

describeLinear({
  localFacts: {
    read: text => localFacts([{ turn: 0, role: 'user', text, saidAt: new Date(0) }], undefined),
    lengthMax,
    openings: ['I like tea. ', '<pre>'],
  },
  sentencesOf: { read: sentencesOf, lengthMax, openings: ['<pre>'] },
  clausesIn: { read: text => clausesIn({ text, start: 0, end: text.length }), lengthMax },
  givesRole: {
    read: speechActs.givesRole,
    lengthMax,
    openings: ['system', '. system:', '. you are', '. eres un', 'あなたは'],
  },
  isOfMachine: { read: isOfMachine, lengthMax: sentence, openings: ['select ', 'at ', 'from ', 'import ', 'class '] },
  isBorneOut: { read: text => isBorneOut('I like tea.', 'I like tea', `${text} I like tea`, text), lengthMax },
  keepsDenials: { read: text => keepsDenials('I like tea.', 'like tea', `${text} like tea`), lengthMax },
  substanceOf: { read: async text => substanceOf(text, await languageOfMessage(text)), lengthMax },
  'what a sentence does': {
    read: text => {
      const all = [speechActs.isQuestion, speechActs.isRequest, speechActs.isCourtesy, speechActs.isAboutMaterial]
      return [...all.map(asks => asks(text)), isOfMachine(text), withoutLeadIn(text), askedToKeep(text)]
    },
    lengthMax: sentence,
    openings: ['Thanks, ', 'wenn ich ', 'remember', 'how '],
  },
})

describe('elements of others', () => {
  test.each([
    ['<pre class="x">I like tea.</PRE> I like milk.', ['I like milk.']],
    ['I like milk.\n<code>I like tea.</code><pre>I like rum.</pre>\nI like beer.', ['I like milk.', 'I like beer.']],
    ['I like milk. <document>I like tea.', ['I like milk.']],
    ['I like <previews> of films.', ['I like <previews> of films.']],
    ['I like milk <pre and tea.', ['I like milk <pre and tea.']],
  ])('%s', (message, told) => {
    expect(sentencesOf(message).map(({ text }) => text.trim())).toEqual(told)
  })
})
