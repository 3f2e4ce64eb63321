import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { analyze, termCounts } from './analyze.ts'
import { type MatchingDatabase, openMatchingDatabase } from './matching.test-support.ts'
import { parseQuery, queryTerms } from './parse-query.ts'

// The embedded database takes seconds to start on a busy machine.
setDefaultTimeout(30_000)

let database: MatchingDatabase
beforeAll(async () => {
  database = await openMatchingDatabase()
})
afterAll(() => database.close())

const ROWS: readonly [text: string, found: readonly string[], missed: readonly string[]][] = [
  ['Jürgen plays chess', ['Juergen', 'Jurgen', 'jürgen', 'JUERGEN'], ['Jorgen', '"Juergen"']],
  ['Juergen plays chess', ['Jürgen', 'Juergen'], ['Jurgen']],
  ['She moved to Århus', ['Aarhus', 'Arhus', 'Århus'], ['Aaarhus']],
  ['Sørens Größe', ['Soerens', 'Groesse', 'Grosse'], ['Sorens Groesser']],
  ['The service runs on Node.js 22', ['nodejs', 'Node.js', 'node', 'nodejs 22'], ['nodes.js', 'jsnode']],
  ['We use nodejs', ['Node.js', 'nodejs'], ['Deno.js']],
  [
    'IBAN: DE89 3704 0044 0532 0130 00, thanks',
    ['DE89370400440532013000', 'de89370400440532013000', 'DE89 3704 0044 0532 0130 00', '3704'],
    ['DE89370400440532013001', 'DE8937040044053201300'],
  ],
  ['IBAN DE89370400440532013000', ['DE89 3704 0044 0532 0130 00', 'IBAN DE89 3704 0044 0532 0130 00'], ['3704 0044']],
  ['GB29 NWBK 6016 1331 9268 19', ['GB29NWBK60161331926819'], []],
  ['Call +49 151 2345678 today', ['+491512345678', '491512345678', '+49 151 2345678', '151'], ['+491512345679']],
  ['Call 0151-2345-678', ['01512345678', '0151 2345 678', '0151-2345-678'], ['0151 678 2345 9']],
  ['Call 01512345678', ['0151 2345 678', '0151-2345-678', '"0151 2345 678" OR 01512345678'], ['0151 2345 679']],
  ['in 2021 and 2019', ['2019 2021', '2021 2019'], ['2019 2022']],
]

test.each(ROWS)('%s', async (text, found, missed) => {
  const hits = await database.findAll(found, text)
  expect(found.filter((_, i) => hits[i] !== true)).toEqual([])
  const wrong = await database.findAll(missed, text)
  expect(missed.filter((_, i) => wrong[i] === true)).toEqual([])
})

test('another spelling counts for the ranker', () => {
  expect(termCounts(analyze('Jürgen of Node.js')).get('juergen')).toBe(1)
  expect(termCounts(analyze('DE89 3704 0044 0532 0130 00')).get('de89370400440532013000')).toBe(1)
  const { variants } = queryTerms(parseQuery('Jürgen'))
  expect(variants.get('jurgen')).toContain('juergen')
})

test('a row of a table is no number in groups', () => {
  const counts = termCounts(analyze(Array.from({ length: 12 }, (_, n) => 2010 + n).join(' ')))
  expect([...counts.keys()].filter(term => term.length > 4)).toEqual([])
})
