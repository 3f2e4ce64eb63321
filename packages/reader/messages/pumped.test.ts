import { describe, expect, test } from 'bun:test'
import { describeLinear } from '../../../test/support/pumped.ts'
import { localFacts } from './index.ts'
import { clausesIn, isOfMachine, sentencesOf } from './sentences.ts'
import { askedToKeep, languageOfMessage, speechActs, substanceOf, withoutLeadIn } from './words.ts'

const lengthMax = 50_000
/** A sentence's length. */
const sentence = 1_000

describeLinear({
  localFacts: {
    read: text => localFacts([{ turn: 0, role: 'user', text }], undefined),
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
