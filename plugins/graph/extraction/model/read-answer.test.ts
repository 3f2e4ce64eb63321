import { describe, expect, test } from 'bun:test'
import { languageDetector, sentencesIn } from 'mneme/plugin'
import type { MemoryToExtract } from '../../contract.ts'
import { endingsOf, expectSound, factsOf, memoryOf } from '../extractor.conformance.ts'
import type { MemoryAnswer } from './answer.ts'
import { readAnswer } from './read-answer.ts'

type Ending = readonly [source: string, type: string, target: string | null, quote: string, validTo?: string]
type Relation = readonly [source: string, type: string, target: string, quote: string, more?: object]

interface Answered {
  readonly entities?: readonly (readonly [name: string, type?: string, aliases?: string[]])[]
  readonly relations?: readonly Relation[]
  readonly endings?: readonly Ending[]
  readonly statements?: readonly string[]
  readonly userName?: string
}

const detector = await languageDetector()

/** Reads the completion for a memory of 1 March 2026. */
function read(text: string, answered: Answered, changes: Partial<MemoryToExtract> = {}) {
  const { entities = [], relations = [], endings = [], statements = [], userName } = answered
  const answer: MemoryAnswer = {
    n: 0,
    user_name: userName ?? null,
    entities: entities.map(([name, type = 'ORGANIZATION', aliases = []]) => ({ name, type, aliases, confidence: 0.9 })),
    relations: relations.map(([source, type, target, quote, more]) => {
      const plain = { closes: false, valid_from: null, valid_to: null, confidence: 0.9 }
      return { source, type, target, quote, ...plain, ...more }
    }),
    endings: endings.map(([source, type, target, quote, validTo]) => {
      return { source, type, target, quote, valid_to: validTo ?? null, confidence: 0.9 }
    }),
    statements: statements.map(quote => ({ quote, category: 'general', confidence: 0.9 })),
  }
  const memory = memoryOf(text, changes)
  const extraction = readAnswer(memory, answer, { extractedBy: 'model', detector })
  expectSound(memory, extraction)
  return extraction
}

const PEOPLE = [['Marta Silva', 'PERSON'], ['Acme'], ['Globex']] as const

describe('what is over', () => {
  test.each<[string, string, Ending, string[]]>([
    ['of whatever there is', 'I retired last month.', ['USER', 'WORKS_AT', null, 'I retired'], ['@user WORKS_AT *']],
    [
      'of somebody',
      'Marta Silva is single.',
      ['Marta Silva', 'MARRIED_TO', null, 'single'],
      ['Marta Silva MARRIED_TO *'],
    ],
    ['of one', 'I am done with Acme.', ['USER', 'WORKS_AT', 'Acme', 'done with Acme'], ['@user WORKS_AT Acme']],
    ['with a time', 'Fired in 2026.', ['USER', 'WORKS_AT', null, 'Fired in 2026', '2026'], ['@user WORKS_AT *']],
    ['with no time', 'I got fired.', ['USER', 'WORKS_AT', null, 'got fired', 'soon'], ['@user WORKS_AT *']],
  ])('counts %s', (_, text, ending, endings) => {
    expect(endingsOf(read(text, { entities: PEOPLE, endings: [ending] }))).toEqual(endings)
  })

  test.each<[string, string, Ending]>([
    ['is not in the text', 'I like my job.', ['USER', 'WORKS_AT', null, 'I got fired']],
    ['is of an unknown kind', 'I got fired.', ['USER', 'EMPLOYED_BY', null, 'I got fired']],
    ['was done once', 'I was born.', ['USER', 'BORN_IN', null, 'I was born']],
    ['is all that somebody likes', 'I like nothing.', ['USER', 'LIKES', null, 'I like nothing']],
    ['is of one who is not named', 'He got fired.', ['Bob', 'WORKS_AT', null, 'got fired']],
    ['is with one who is not named', 'I got fired.', ['USER', 'WORKS_AT', 'Initech', 'got fired']],
    ['is of no person', 'Acme got sold.', ['Acme', 'WORKS_AT', null, 'got sold']],
    ['is of the one it is with', 'Marta Silva left.', ['Marta Silva', 'MARRIED_TO', 'Marta Silva', 'left']],
    ['is long ago', 'I got fired in 2012.', ['USER', 'WORKS_AT', null, 'got fired', '2012']],
    ['is to come', 'I retire in May.', ['USER', 'WORKS_AT', null, 'I retire in May', '2026-05']],
  ])('does not count where it %s', (_, text, ending) => {
    const extraction = read(text, { entities: PEOPLE, endings: [ending] })
    expect(extraction.endings).toBeUndefined()
    expect(extraction.entities.some(({ isUser }) => isUser)).toBe(false)
  })

  test('is told by a relation of the same sentence, or of the same two', () => {
    const fired: Ending = ['USER', 'WORKS_AT', null, 'I got fired']
    const left: Relation = ['USER', 'WORKS_AT', 'Acme', 'fired by Acme', { closes: true }]
    const joined: Relation = ['USER', 'WORKS_AT', 'Globex', 'joined Globex']
    const one = { entities: PEOPLE, relations: [left, joined], endings: [fired, ['USER', 'WORKS_AT', 'Acme', 'Acme']] }
    expect(
      read('I got fired by Acme and joined Globex.', { ...one, endings: [...one.endings] as Ending[] }).endings,
    ).toBe(undefined)
    const apart = read('I left Acme in 2015. I got fired.', {
      entities: PEOPLE,
      relations: [['USER', 'WORKS_AT', 'Acme', 'left Acme in 2015', { closes: true, valid_to: '2015' }]],
      endings: [fired],
    })
    expect([factsOf(apart), endingsOf(apart)]).toEqual([['@user -WORKS_AT Acme'], ['@user WORKS_AT *']])
  })
})

describe('words are found', () => {
  const found = (text: string, name: string) => read(text, { entities: [[name, 'PERSON']] }).entities[0]

  test('whether an accent is a character or a part of one', () => {
    const apart = 'Jose\u0301 arrive\u0301.'
    expect(found(apart, 'Jos\u00e9')).toMatchObject({ name: 'Jose\u0301', span: { start: 0, end: 5 } })
    expect(found('José arrivé.', 'Jose\u0301')).toMatchObject({ name: 'José', span: { start: 0, end: 4 } })
    expect(found(apart, 'Jose')).toBeUndefined()
    expect(found('\u1112\u1161\u11ab came', '한')).toMatchObject({ span: { start: 0, end: 3 } })
  })

  test('behind characters of two units, and not in half of one', () => {
    expect(found('🙂🙂 Ada 🙂', 'Ada')).toMatchObject({ span: { start: 5, end: 8 } })
    expect(found('𠮷田さん', '𠮷田')).toMatchObject({ name: '𠮷田', span: { start: 0, end: 3 } })
    expect(found('👩‍👩‍👧 Ada', 'Ada')).toMatchObject({ name: 'Ada' })
  })

  test('over the ends of lines and between other quotation marks', () => {
    expect(found('With Ada\n  Okafor.', 'Ada Okafor')).toMatchObject({
      name: 'Ada Okafor',
      span: { start: 5, end: 17 },
    })
    expect(found('Mr O’Brien', "O'Brien")).toMatchObject({ name: 'O’Brien' })
    const { statements } = read('He said:\n“I’m\nhere” today.', { statements: ['He said: "I\'m here" today.'] })
    expect(statements.map(({ text }) => text)).toEqual(['He said:\n“I’m\nhere” today.'])
  })

  test('without capitals, but for small words', () => {
    const { entities } = read('works at acme with us', { entities: [['Acme'], ['US', 'PLACE']] })
    expect(entities).toMatchObject([{ name: 'Acme', aliases: ['acme'], span: { start: 9, end: 13 } }])
    expect(read("i'm noor", { userName: 'Noor', relations: [] }).entities).toMatchObject([
      { name: 'Noor', isUser: true, aliases: ['noor', 'user-7'] },
    ])
  })

  test('with the capital and the full stop that a model gives a quotation', () => {
    const { statements } = read('well, i like tea', { statements: ['I like tea.'] })
    expect(statements.map(({ text }) => text)).toEqual(['i like tea'])
  })

  test.each([
    ['삼성전자', '저는 삼성전자에서 일해요.', 3],
    ['서울', '작년에 서울로 이사했어요.', 4],
    ['תל אביב', 'אני גר בתל אביב.', 8],
    ['القاهرة', 'أعيش بالقاهرة.', 6],
    ['Budapest', 'Budapesten lakom.', 0],
    ['Иван', 'Я видел Ивана.', 8],
    ['חיפה', 'ושבחיפה גרתי.', 3],
    ['رياض', 'أعيش بالرياض.', 8],
    ['Google', '저는 Google에서 일해요.', 3],
    ['Google', 'אני עובד בGoogle.', 10],
  ])('with the particles and endings of their language: %s in "%s"', (name, text, start) => {
    expect(found(text, name)).toMatchObject({ name, span: { start, end: start + name.length } })
  })

  test('as whole words first, and never within one or of a few letters', () => {
    expect(found('Annaville is where Anna lives.', 'Anna')).toMatchObject({ span: { start: 19, end: 23 } })
    expect(found('Smart people.', 'mart')).toBeUndefined()
    expect(found('Annual', 'Ann')).toBeUndefined()
    expect(found('대한민국', '민국')).toBeUndefined()
  })

  test.each([
    ['Anna', 'Annabelle lives here.'],
    ['Mark', 'She works in Marketing.'],
    ['Java', 'I write JavaScript at work.'],
    ['Alex', 'Alexander works at Northwind.'],
    ['Java', 'JavaScript'],
    ['김', '김민수 씨를 만났어요.'],
    ['בן', 'ראובן גר כאן.'],
    ['חיפה', 'וכשמבחיפה גרתי.'],
    ['Buda', 'Budapestenként lakom.'],
  ])('nor of another name: no %s in "%s"', (name, text) => {
    expect(found(text, name)).toBeUndefined()
  })

  test('of an alias as whole words alone', () => {
    const other = (text: string, name: string, alias: string) =>
      read(text, { entities: [[name, 'PERSON', [alias]]] }).entities.map(({ aliases }) => aliases)
    expect(other('Alexander works at Northwind.', 'Alexander', 'Alex')).toEqual([[]])
    expect(other('Ласточкин Иванов тут.', 'Ласточкин', 'Иван')).toEqual([[]])
    expect(other('김민수 씨를 만났어요.', '김민수', '김민')).toEqual([[]])
    expect(other('Alexander (Alex) works at Northwind.', 'Alexander', 'Alex')).toEqual([['Alex']])
  })

  test('of one name once, however it is given', () => {
    const { entities } = read('O’Brien, Acme, ACME', {
      entities: [["O'Brien", 'PERSON'], ['O’Brien', 'PERSON'], ['Acme'], ['ACME'], ['acme']],
    })
    expect(entities.map(({ name }) => name)).toEqual(['O’Brien', 'Acme'])
  })
})

describe('the user', () => {
  const home: Relation = ['user', 'LIVES_IN', 'Lisbon', 'live in Lisbon']

  test('is one, however a model writes the word', () => {
    const { entities, relations } = read('As the user I live in Lisbon. User Bob too.', {
      entities: [
        ['User', 'PERSON'],
        ['USER', 'PERSON'],
        ['Lisbon', 'PLACE'],
      ],
      relations: [home],
    })
    expect(entities.map(({ name, isUser }) => [name, isUser])).toEqual([
      ['Lisbon', false],
      ['user-7', true],
    ])
    expect(relations).toHaveLength(1)
  })

  const CV = 'Jane Doe. Works at Acme. Retired in 2026.'
  const asUser: Answered = {
    userName: 'Jane Doe',
    entities: [['Jane Doe', 'PERSON'], ['Acme']],
    relations: [
      ['USER', 'WORKS_AT', 'Acme', 'Works at Acme'],
      ['Jane Doe', 'WORKS_AT', 'Acme', 'Works at Acme'],
    ],
    endings: [['USER', 'WORKS_AT', null, 'Retired in 2026']],
  }

  test('is not whom a document is about', () => {
    const read7 = read(CV, asUser, { isDocument: true })
    expect([factsOf(read7), endingsOf(read7)]).toEqual([['Jane Doe WORKS_AT Acme'], []])
    expect(read7.entities.some(({ isUser }) => isUser)).toBe(false)
    expect(factsOf(read(CV, asUser))).toEqual(['@user WORKS_AT Acme', '@user WORKS_AT Acme'])
  })

  test.each<[string, string, string, boolean?]>([
    ['ja', 'トヨタ', '私はトヨタで働いています。'],
    ['zh', '腾讯', '我在腾讯工作。'],
    ['ar', 'جوجل', 'أنا أعمل في جوجل.'],
    ['ko', '삼성', '저는 삼성에서 일해요.'],
    ['id', 'Gojek', 'Saya bekerja di Gojek di Jakarta.'],
    ['es', 'Acme', 'Trabajamos en Acme.'],
    ['it', 'Acme', 'Lavoro in Acme.'],
    ['pl', 'Acme', 'Pracuję w Acme.'],
    ['ru', 'Яндекс', 'Работаю в Яндекс.'],
    ['en', 'Acme', 'Jane Doe. We work at Acme in the US.'],
    ['en', 'ACME', 'FROM JANE DOE TO US: WORK AT ACME.'],
    ['de', 'Siemens', 'Ich arbeite bei Siemens in München.'],
    ['fr', 'Renault', 'Nous travaillons chez Renault à Paris.'],
    ['nl', 'Philips', 'Wij werken bij Philips in Eindhoven.'],
    ['sv', 'Volvo', 'Vi arbetar på Volvo i Göteborg.'],
    ['nb', 'Equinor', 'Vi jobber i Equinor i Stavanger nå.'],
    ['da', 'Maersk', 'Vi arbejder hos Maersk i København.'],
    ['en and zh', '腾讯', 'Jane Doe works at Acme and lives in Paris. 我在腾讯工作。'],
    ['en and de', 'Siemens', 'Jane Doe lives in Paris, near her friends. Ich arbeite bei Siemens.'],
    ['en', 'Acme', 'Jane Doe. Works at Acme in the US.', false],
    ['en', 'Acme', 'Jane Doe. Portland, ME: works at Acme.', false],
    ['en', 'Acme', 'Works at Acme', false],
    ['de', 'Siemens', 'Anna Berg. Arbeitet bei Siemens in München.', false],
    ['fr', 'Renault', 'Anne Petit. Travaille chez Renault à Paris.', false],
    ['nl', 'Philips', 'Anna Smit. Werkt bij Philips in Eindhoven.', false],
    ['sv', 'Volvo', 'Anna Berg. Arbetar på Volvo i Göteborg.', false],
    ['nb', 'Equinor', 'Anna Berg. Jobber i Equinor i Stavanger nå.', false],
    ['da', 'Maersk', 'Anna Berg. Arbejder hos Maersk i København.', false],
  ])('is whom a document is about where it says so or need not, in %s: %s', (_, name, text, isUser = true) => {
    const quote = sentencesIn(text).at(-1)?.text ?? ''
    const answered: Answered = { entities: [[name]], relations: [['USER', 'WORKS_AT', name, quote]] }
    expect(factsOf(read(text, answered, { isDocument: true }))).toEqual(isUser ? [`@user WORKS_AT ${name}`] : [])
  })

  test('is who says "I" in a document, in that sentence alone', () => {
    const said = read(
      'My name is Jane Doe. Works at Acme. I live in Lisbon.',
      {
        ...asUser,
        entities: [['Acme'], ['Lisbon', 'PLACE']],
        relations: [['USER', 'WORKS_AT', 'Acme', 'Works at Acme'], home],
      },
      { isDocument: true },
    )
    expect(factsOf(said)).toEqual(['@user LIVES_IN Lisbon'])
    expect(said.entities.find(({ isUser }) => isUser)?.name).toBe('Jane Doe')
  })
})

test('dates of no year that anybody means are none', () => {
  const { relations } = read('I work at Acme.', {
    entities: [['Acme']],
    relations: [['USER', 'WORKS_AT', 'Acme', 'work at Acme', { valid_from: '0001-01-01', valid_to: '9999-12-31' }]],
  })
  expect(relations).toMatchObject([{ validFrom: null, validTo: null }])
})

test('a quotation that stands in several places is the one beside what it is about', () => {
  const text = 'I work at the bakery. Ana lives here too. Ben used to work at Acme.'
  const { relations } = read(text, {
    entities: [['Ben', 'PERSON'], ['Acme']],
    relations: [['Ben', 'WORKS_AT', 'Acme', 'work at']],
  })
  expect(relations[0]?.span.start).toBe(text.lastIndexOf('work at'))
})

test('what was done once has no end, and its date is when it was', () => {
  const { relations } = read('I visited Rome in 2019.', {
    entities: [['Rome', 'PLACE']],
    relations: [['USER', 'VISITED', 'Rome', 'visited Rome in 2019', { closes: true, valid_to: '2019' }]],
  })
  expect(relations).toMatchObject([{ closes: false, validFrom: '2019', validTo: null }])
})
