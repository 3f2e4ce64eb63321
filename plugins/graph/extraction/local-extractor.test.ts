import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { turnsDuring } from '../../../test/support/event-loop.ts'
import { processorTime } from '../../../test/support/processor-time.ts'
import { expectSound, extractorConformance, factsOf, memoryOf } from './extractor.conformance.ts'
import { type Categorize, createLocalExtractor, type OpenSentence } from './local-extractor.ts'

extractorConformance('the local extractor', async () => createLocalExtractor())

const extractor = createLocalExtractor()

async function read(text: string, userId = 'user-7', isDocument = false) {
  const memory = memoryOf(text, { userId, isDocument })
  const [extraction] = await extractor.extract('w', [memory], AbortSignal.timeout(30_000))
  if (!extraction) throw new Error('no extraction')
  expectSound(memory, extraction)
  return extraction
}

describe('a part of a document', () => {
  test.each([
    ['City: Tokyo; Max rate: 28000; Currency: JPY', []],
    ['Works at Siemens and lives in Munich.', []],
    ['I live in Lisbon.', ['@user LIVES_IN Lisbon']],
    ['Anna works at Siemens.', ['Anna WORKS_AT Siemens']],
  ])('says nothing of the user but in the first person: %s', async (text, facts) => {
    expect(factsOf(await read(text, 'user-7', true))).toEqual(facts)
  })
})

test('a name without a first name that ends in a long word is an organization, and a short word may be a surname', async () => {
  const typesOf = async (text: string) => (await read(text)).entities.map(({ name, type }) => [name, type])
  expect(await typesOf('Fernhill Schools renewed until June.')).toEqual([['Fernhill Schools', 'ORGANIZATION']])
  expect(await typesOf('Nordfjord Seafood signed for two years.')).toEqual([['Nordfjord Seafood', 'ORGANIZATION']])
  expect(await typesOf('Saoirse Young signed for two years.')).toEqual([['Saoirse Young', 'PERSON']])
})

describe('facts', () => {
  test.each([
    ['Ada left Acme Corp in March and joined Initech.', ['Ada -WORKS_AT Acme Corp', 'Ada WORKS_AT Initech']],
    ['Maya moved from Lisbon to Berlin.', ['Maya -LIVES_IN Lisbon', 'Maya LIVES_IN Berlin']],
    ['We switched from MySQL to Postgres.', ['@user -USES_TECHNOLOGY MySQL', '@user USES_TECHNOLOGY Postgres']],
    ["I've switched from Green Harbor to Initech.", ['@user -WORKS_AT Green Harbor', '@user WORKS_AT Initech']],
    ['I switched from Spotify to Tidal.', ['@user -USES_TECHNOLOGY Spotify', '@user USES_TECHNOLOGY Tidal']],
    ['Petra manages me.', ['@user REPORTS_TO Petra']],
    ['Anjali and I founded Salt Labs.', ['@user CREATED Salt Labs', 'Anjali CREATED Salt Labs']],
    ['I met Ada and I live in Rome.', ['@user KNOWS Ada', '@user LIVES_IN Rome']],
    ['I used to live in Rome.', ['@user -LIVES_IN Rome']],
    ['Peter no longer works at Acme Corp.', ['Peter -WORKS_AT Acme Corp']],
    ['Peter does not work at Acme Corp.', []],
    ['I am learning Japanese with WaniKani.', ['@user INTERESTED_IN Japanese']],
    ['I am interviewing with Stellarpath.', []],
    ['I started climbing at Stellarpath on Tuesdays.', []],
    ['I started teaching at Stellarpath on Tuesdays.', ['@user WORKS_AT Stellarpath']],
    ['The nightly export fails. Assigned to Jonas.', []],
    ['I was assigned to Jonas.', ['@user REPORTS_TO Jonas']],
    [
      "User's new manager at Stellarpath is Lucía Fernández.",
      ['@user REPORTS_TO Lucía Fernández', 'Lucía Fernández WORKS_AT Stellarpath'],
    ],
    ['I am now with Stellarpath.', ['@user WORKS_AT Stellarpath']],
    ['I want to live in Rome.', []],
    ['Does Peter work at Acme Corp?', []],
    ['If I move to Berlin, I will join Siemens.', []],
    ["I don't like olives.", ['@user DISLIKES olives']],
    [
      'I like jazz, old films and dark chocolate.',
      ['@user LIKES dark chocolate', '@user LIKES jazz', '@user LIKES old films'],
    ],
    ['Stripe was founded by Patrick Collison.', ['Patrick Collison CREATED Stripe']],
    ['My colleague moved to Berlin.', []],
    ['Works at Siemens and lives in Munich.', ['@user LIVES_IN Munich', '@user WORKS_AT Siemens']],
    ['I was born in Recife, Brazil.', ['@user BORN_IN Recife', 'Recife LOCATED_IN Brazil']],
  ])('%s', async (text, facts) => {
    expect(factsOf(await read(text))).toEqual(facts)
  })

  test.each([
    ['Ich arbeite nicht mehr bei Siemens.', ['@user -WORKS_AT Siemens']],
    ['Meine Schwester Heike wohnt in Köln.', ['@user RELATED_TO Heike', 'Heike LIVES_IN Köln']],
    ['Carlos trabaja para Telefónica y vive en Sevilla.', ['Carlos LIVES_IN Sevilla', 'Carlos WORKS_AT Telefónica']],
    ['Ya no vivo en Madrid.', ['@user -LIVES_IN Madrid']],
    ["Je n'habite plus à Lyon.", ['@user -LIVES_IN Lyon']],
    ['Camille travaille chez Michelin.', ['Camille WORKS_AT Michelin']],
  ])('in other languages: %s', async (text, facts) => {
    expect(factsOf(await read(text))).toEqual(facts)
  })

  test.each([
    ['we live in lisbon now', ['@user LIVES_IN lisbon']],
    ['my brother ali works @ Siemens', ['@user RELATED_TO ali', 'ali WORKS_AT Siemens']],
    ['i dont use vim anymore', ['@user -USES_TECHNOLOGY vim']],
    ['we use postgres n redis + docker', ['postgres', 'redis', 'docker'].map(name => `@user USES_TECHNOLOGY ${name}`)],
    ['wife: Ingrid, kids: Nils (7), Freja (4)', ['MARRIED_TO Ingrid', 'PARENT_OF Freja', 'PARENT_OF Nils']],
    ['I will nice it up in reading and orange', []],
  ])('typed in haste: %s', async (text, facts) => {
    const wanted = facts.map(fact => (fact.startsWith('@') || fact.startsWith('ali') ? fact : `@user ${fact}`))
    expect(factsOf(await read(text))).toEqual(wanted.sort())
  })

  test.each([
    [
      'Marta said: "I hate Ryanair. I live in Rome." I live in Oslo.',
      ['@user LIVES_IN Oslo', 'Marta DISLIKES Ryanair', 'Marta LIVES_IN Rome'],
    ],
    ['"I love Lisbon," said Ada.', ['Ada LIKES Lisbon']],
    ['He told me "I work at Siemens".', []],
    ['I said "I work at Siemens".', ['@user WORKS_AT Siemens']],
    ['We call it "Falcon" and I use Postgres.', ['@user USES_TECHNOLOGY Postgres']],
  ])('of whoever is quoted: %s', async (text, facts) => {
    expect(factsOf(await read(text))).toEqual(facts)
  })

  test('a name that is the user id is the user', async () => {
    const { entities } = await read('Ada lives in Lisbon.', 'ada')
    expect(entities.find(({ isUser }) => isUser)).toMatchObject({ name: 'Ada', aliases: ['ada'] })
  })

  test('a first name is an alias of the whole name', async () => {
    const { entities } = await read('Ada Okafor lives in Lisbon. Ada works at Northwind Labs.')
    expect(entities.map(({ name, aliases }) => [name, aliases])).toContainEqual(['Ada Okafor', ['Ada']])
    expect(entities).toHaveLength(3)
  })
})

describe('times', () => {
  test.each([
    ['Mei has worked at Grab since March 2019.', { validFrom: '2019-03', validTo: null, closes: false }],
    ['I was a consultant at McKinsey until June 2021.', { validFrom: null, validTo: '2021-06', closes: true }],
    ['Tom joined Siemens in 2015 and left in 2018.', { validFrom: '2015', validTo: '2018', closes: true }],
    ['Tom joined Siemens in 2022.', { validFrom: '2022', validTo: null, closes: false }],
    ['Tom moved to Berlin last year.', { validFrom: '2025', validTo: null, closes: false }],
    ['Tom works at Siemens.', { validFrom: null, validTo: null, closes: false }],
  ])('%s', async (text, validity) => {
    expect((await read(text)).relations).toMatchObject([validity])
  })

  // The job that was taken ended with the one that was left, where both stand in one clause.
  test.each([
    ['I left Philips in 2021 and joined ASML.', null],
    ['I left Philips in 2021, and joined ASML.', null],
    ['I left Philips in 2021 and joined ASML in 2022.', '2022'],
    ['Noor quit Philips in 2021 and started at ASML.', null],
    ['I joined ASML in 2022 and left Philips in 2021.', '2022'],
  ])('%s', async (text, joined) => {
    const { entities, relations } = await read(text)
    const jobAt = (name: string) => relations.find(({ target }) => entities[target]?.name === name)
    expect(jobAt('Philips')).toMatchObject({ validTo: '2021', closes: true })
    expect(jobAt('ASML')).toMatchObject({ validFrom: joined, validTo: null, closes: false })
  })
})

describe('statements', () => {
  test.each([
    ["The user's timezone is Asia/Tokyo.", "The user's timezone is Asia/Tokyo."],
    ['He is late. The user lives in Rome.', 'The user lives in Rome.'],
    // Kept of a conversation, where another user had said the same.
    ['user-7: I live in Berlin.', 'I live in Berlin.'],
    ['user-70: I live in Berlin.', 'user-70: I live in Berlin.'],
    [
      'I moved to Berlin last year because the company that I work for\nopened an office there.',
      'I moved to Berlin last year because the company that I work for\nopened an office there.',
    ],
  ])('of "%s" are whole sentences', async (text, statement) => {
    expect((await read(text)).statements.at(-1)?.text).toBe(statement)
  })

  test('are whole sentences, filed by their facts, or else by whoever can', async () => {
    const asked: OpenSentence[] = []
    const categorize: Categorize = async sentences => {
      asked.push(...sentences)
      return sentences.map(() => ({ category: 'goals', confidence: 0.7 }))
    }
    const vector = Float32Array.of(1, 0)
    const memories = [
      memoryOf('I live in Lisbon. ok thanks! The flat gets new windows in spring.', { vector }),
      memoryOf('The roof gets new tiles in May. The cellar gets a light then.', { vector }),
    ]
    const extractions = await createLocalExtractor({ categorize }).extract('w', memories, AbortSignal.timeout(30_000))
    expect(extractions.map(({ statements }) => statements.map(({ text, category }) => [text, category]))).toEqual([
      [
        ['I live in Lisbon.', 'personal'],
        ['The flat gets new windows in spring.', 'goals'],
      ],
      [
        ['The roof gets new tiles in May.', 'goals'],
        ['The cellar gets a light then.', 'goals'],
      ],
    ])
    // The memory's vector stands for the one sentence that is open, not for each of two.
    expect(asked.map(sentence => sentence.vector)).toEqual([vector, undefined, undefined])
  })

  test('leave out prompts, logs and code', async () => {
    for (const text of [
      'You are a helpful assistant.',
      '2026-03-04T10:22:01Z ERROR worker-3 job failed',
      'SELECT id FROM customers;',
      'Can you summarise this for me?',
    ]) {
      expect((await read(text)).statements).toEqual([])
    }
  })

  test('a sentence that begins with a word names nobody', async () => {
    for (const text of [
      'Chargers are in the drawer.',
      'Dinner was late.',
      'Room 12 is booked at noon.',
      'SET LOCAL TIMEOUT',
    ]) {
      expect((await read(text)).entities).toEqual([])
    }
    expect((await read('Grace was late.')).entities).toHaveLength(1)
  })

  test('and nobody is named by what machines write', async () => {
    for (const text of ['npm ERR! code ERESOLVE', 'GET /v1/users/Ada 500', 'Traceback (most recent call last):']) {
      expect(await read(text)).toMatchObject({ entities: [], statements: [] })
    }
  })
})

describe('any text', () => {
  test('gives sound facts, whatever it holds', async () => {
    const word = fc.constantFrom(
      ...'I my wife Ada Okafor lives works at in left joined Berlin Acme 2019 , . ? " the and who she no longer not since \n 😀 \uE000 \uD800 مرحبا 東京'.split(
        ' ',
      ),
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.array(word, { maxLength: 40 }).map(words => words.join(' ')),
    )
    await fc.assert(
      fc.asyncProperty(text, async value => void (await read(value))),
      { numRuns: 300 },
    )
  })

  test('costs no more than its length', async () => {
    const long = [
      'I live in Berlin and work at Acme Corp. '.repeat(1_250),
      'a'.repeat(50_000),
      'Ada and '.repeat(6_250),
      'my wife '.repeat(6_250),
      "' ".repeat(25_000),
      'was in '.repeat(7_000),
    ]
    for (const text of long) {
      // One of a thousand characters takes a few milliseconds; a quadratic pattern would take minutes here.
      expect(await processorTime(() => read(text))).toBeLessThan(20_000)
    }
  }, 120_000)

  test('lets the event loop turn while it reads', async () => {
    const text = 'My sister Ada moved from Lisbon to Berlin in 2019 and joined Siemens. '.repeat(714)
    await read('Ada lives in Lisbon.')
    const measured = processorTime(() => read(text))
    const turns = await turnsDuring(measured)
    const spent = await measured
    // A turn about every ten milliseconds; some may be longer, not all of them.
    expect(turns).toBeGreaterThan(spent / 60)
    expect(turns).toBeGreaterThan(3)
  }, 60_000)
})
