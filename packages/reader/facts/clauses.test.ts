import { describe, expect, test } from 'bun:test'
import { factsOf, factsOfText } from './reading.test-support.ts'

type Case = readonly [text: string, facts: readonly string[]]

function reads(how: string, cases: readonly Case[]): void {
  test.each(cases.map(([text, facts]) => ({ text, facts })))(`${how}: $text`, ({ text, facts }) => {
    expect(factsOf(factsOfText(text))).toEqual([...facts].sort())
  })
}

describe('the user in the third person', () => {
  reads('is who the memory is of', [
    ["The user's brother Emil works at Siemens.", ['@user RELATED_TO Emil', 'Emil WORKS_AT Siemens']],
    ['User prefers green tea over coffee.', ['@user LIKES green tea']],
    [
      'The user is married to Yusuf and they have a daughter called Amina.',
      ['@user MARRIED_TO Yusuf', '@user PARENT_OF Amina'],
    ],
    ['User traveled to Iceland with their friend Jonas.', ['@user KNOWS Jonas', '@user VISITED Iceland']],
  ])
  reads('is nobody in what is only called after users', [
    ['The user interface was written in Lisbon.', []],
    ['A new user joined Siemens.', []],
  ])
})

describe('appositions, relative clauses and brackets', () => {
  reads('tell of the name before them', [
    ['Edda, formerly of Siemens, paints.', ['Edda -WORKS_AT Siemens']],
    ['Mei Tan (ex-Siemens, now Bosch) called.', ['Mei Tan -WORKS_AT Siemens', 'Mei Tan WORKS_AT Bosch']],
    ['Jovana, a Vienna-based painter, called.', ['Jovana LIVES_IN Vienna']],
    ['Rosa is a nurse based in Vienna.', ['Rosa LIVES_IN Vienna']],
    ['My previous employer, Ericsson, closed.', ['@user -WORKS_AT Ericsson']],
    ['The Growth team, which is led by Paolo Ricci, moved.', ['Paolo Ricci MANAGES Growth']],
    ['I met Sven, whom I like, and his brother Lars.', ['@user KNOWS Sven', 'Sven RELATED_TO Lars']],
  ])
})

describe('passives and objects', () => {
  reads('leave the subject where it is', [
    ['Henk left Siemens to join Bosch.', ['Henk -WORKS_AT Siemens', 'Henk WORKS_AT Bosch']],
    ['Fatima worked with Lars at Siemens.', ['Fatima COLLABORATES_WITH Lars', 'Fatima -WORKS_AT Siemens']],
    ['Rosa was appointed head of research at Siemens.', ['Rosa WORKS_AT Siemens']],
    ['Retired from Siemens in 2010, Rosa now lives in Vienna.', ['Rosa -WORKS_AT Siemens', 'Rosa LIVES_IN Vienna']],
    ['Written in Rust by Rosa, it is fast.', []],
    ["I've lived in Osaka for five years.", ['@user LIVES_IN Osaka']],
    ["Nadia runs Oxfam's office.", []],
  ])
})

describe('people who are introduced', () => {
  reads('are known by the word for them', [
    [
      'Our kids are Nora (9), Finn (6) and little Ida.',
      ['@user PARENT_OF Finn', '@user PARENT_OF Ida', '@user PARENT_OF Nora'],
    ],
    ['I live in Vienna with a flatmate named Joost.', ['@user KNOWS Joost', '@user LIVES_IN Vienna']],
    [
      'Two friends of mine, Aisha and Ben, moved to Vienna.',
      ['@user KNOWS Aisha', '@user KNOWS Ben', 'Aisha LIVES_IN Vienna', 'Ben LIVES_IN Vienna'],
    ],
    ['Meet Emma (my sister) and her husband Luke.', ['@user RELATED_TO Emma', 'Emma MARRIED_TO Luke']],
    ["Spoke of Ana's sister Julia.", ['Ana RELATED_TO Julia']],
  ])
})

describe('lists', () => {
  reads('go on after a colon without "and"', [
    [
      'Likes: dark mode, short commits, Rust.',
      ['@user LIKES Rust', '@user LIKES dark mode', '@user LIKES short commits'],
    ],
    [
      'My hobbies include chess, sailing and pottery.',
      ['@user LIKES chess', '@user LIKES pottery', '@user LIKES sailing'],
    ],
  ])
})

describe('in other languages', () => {
  reads('relative clauses and changes', [
    ['Svenja, die früher bei der Telekom war, wohnt in Bonn.', ['Svenja -WORKS_AT Telekom', 'Svenja LIVES_IN Bonn']],
    ['Thibault a été embauché par Airbus.', ['Thibault WORKS_AT Airbus']],
    ['No soporto el ruido.', ['@user DISLIKES ruido']],
  ])
})

describe('a name that no list knows is typed by', () => {
  test.each([
    ['the noun before it', 'The startup Qvorex grows.', 'Qvorex', 'ORGANIZATION'],
    ['the noun after it', 'We ship Qvorex, our app, on Monday.', 'Qvorex', 'THING'],
    ['its list', 'We asked Qvorex and Siemens.', 'Qvorex', 'PERSON'],
    ['whom one does something with', 'I did yoga with Qvorexa on Sunday.', 'Qvorexa', 'PERSON'],
    ['where something is done', 'I started climbing at Tendon Hlubina.', 'Tendon Hlubina', 'ORGANIZATION'],
    ['capitals within it', 'EtherCAT needs a clock on every slave.', 'EtherCAT', 'THING'],
    ['letters of a model in it', 'My new gravel bike has Shimano GRX.', 'Shimano GRX', 'THING'],
    ['nothing where a surname has such capitals', 'DeShawn plays the bass.', 'DeShawn', 'PERSON'],
    ['nothing where initials come first', 'QJ Velldor called about the roof.', 'QJ Velldor', 'PERSON'],
  ])('%s', (_, text, name, type) => {
    const { entities } = factsOfText(text)
    expect(entities.find(entity => entity.name === name)).toMatchObject({ type })
  })

  test('the words around it rather than by two capitals, where texts differ', () => {
    const [used, named] = ['Met Piet at Tendon Hlubina.', 'Tendon Hlubina has the best boulders.'].map(text =>
      factsOfText(text).entities.find(({ name }) => name === 'Tendon Hlubina'),
    )
    expect([used?.type, named?.type]).toEqual(['ORGANIZATION', 'PERSON'])
    expect(used?.confidence).toBeGreaterThan(named?.confidence ?? 1)
  })

  test('an initial belongs to it, a verb before it does not', () => {
    expect(factsOfText('I love Ursula K. Le Guin.').entities.map(({ name }) => name)).toContain('Ursula K. Le Guin')
    expect(factsOfText('Ask Qvorexa about the keys.').entities.map(({ name }) => name)).toEqual(['Qvorexa'])
  })
})
