import { describe, expect, test } from 'bun:test'
import { readTime } from 'text-reader/facts'
import type { RelationType } from '../contract.ts'
import type { Evidence } from './evidence.ts'
import { foldEvidence, type Period, WILDCARD_TARGET } from './fold-evidence.ts'

const NEVER = () => false
let counter = 0

interface Said {
  readonly by?: string
  readonly closes?: boolean
  readonly from?: string
  readonly to?: string
  readonly isConcurrent?: boolean
  readonly onlyEnds?: boolean
  readonly source?: string
}

/** "On that day a memory said that Ada has this relationship." */
function said(statedAt: string, type: RelationType, target: string, how: Said = {}): Evidence {
  const stated = new Date(statedAt)
  const [from, to] = [readTime(how.from ?? null), readTime(how.to ?? null)]
  const isOver = how.closes || (to !== undefined && to.earliest <= stated)
  const told = isOver ? to : from
  counter++
  return {
    id: `e${String(counter).padStart(4, '0')}`,
    memoryId: how.by ?? `m${String(counter).padStart(4, '0')}`,
    sourceId: how.source ?? 'ada',
    targetId: target,
    type,
    confidence: 0.9,
    closes: how.closes ?? false,
    validFrom: from?.earliest ?? null,
    validTo: to?.earliest ?? null,
    statedAt: stated,
    effectiveAt: told ? (told.latest < stated ? told.latest : stated) : null,
    isConcurrent: how.isConcurrent ?? false,
    onlyEnds: how.onlyEnds ?? false,
    edgeId: null,
  }
}

function day(date: Date | null): string {
  return date ? date.toISOString().slice(0, 10) : ''
}

/** Each period as `target known from..known to`. */
function folded(evidence: readonly Evidence[], coexist: (type: RelationType, a: string, b: string) => boolean = NEVER) {
  return foldEvidence(evidence, coexist)
    .map(({ targetId, type, knownFrom, knownTo }) => `${type} ${targetId} ${day(knownFrom)}..${day(knownTo)}`)
    .sort()
}

function current(evidence: readonly Evidence[]): string[] {
  return foldEvidence(evidence, NEVER)
    .filter((period: Period) => period.knownTo === null)
    .map(({ targetId }) => targetId)
    .sort()
}

describe('one at a time', () => {
  test('a new home takes the place of the former at the moment it is told', () => {
    const evidence = [said('2025-01-01', 'LIVES_IN', 'porto'), said('2025-06-01', 'LIVES_IN', 'lisbon')]
    expect(folded(evidence)).toEqual(['LIVES_IN lisbon 2025-06-01..', 'LIVES_IN porto 2025-01-01..2025-06-01'])
  })

  test('an end by a shorter name ends what was told by the longer one, unless it tells when it was', () => {
    const sameNames = (_: RelationType, ...names: string[]) =>
      names.includes('rocío') && names.includes('hospital rocío')
    const job = said('2025-01-01', 'WORKS_AT', 'hospital rocío')
    const open = (...ends: Evidence[]) => folded([job, ...ends], sameNames).filter(period => period.endsWith('..'))
    expect(open(said('2025-06-01', 'WORKS_AT', 'rocío', { closes: true }))).toEqual([])
    for (const end of [
      said('2025-06-01', 'WORKS_AT', 'acme', { closes: true }),
      said('2025-06-01', 'WORKS_AT', 'rocío', { closes: true, to: '2012' }),
    ]) {
      expect(open(end)).toEqual(['WORKS_AT hospital rocío 2025-01-01..'])
    }
  })

  test('what began earlier is an earlier one, even when it is told later', () => {
    const evidence = [
      said('2025-01-01', 'WORKS_AT', 'asml', { from: '2021' }),
      said('2025-06-01', 'WORKS_AT', 'philips', { from: '2015' }),
    ]
    expect(folded(evidence)).toEqual(['WORKS_AT asml 2025-01-01..', 'WORKS_AT philips 2025-06-01..2025-06-01'])
  })

  test('what tells no date gives way to what is stated after it, whatever date that tells', () => {
    const evidence = [
      said('2025-06-01', 'LIVES_IN', 'porto'),
      said('2025-06-02', 'LIVES_IN', 'lisbon', { from: '2024-03' }),
    ]
    expect(current(evidence)).toEqual(['lisbon'])
  })

  test('a year that was told is compared by its end: the other job may have begun before', () => {
    const evidence = [
      said('2025-03-01', 'WORKS_AT', 'acme', { from: '2025-02' }),
      said('2025-09-01', 'WORKS_AT', 'beta', { from: '2025' }),
    ]
    expect(current(evidence)).toEqual(['beta'])
  })

  test('an end closes with the date it tells', () => {
    const [period] = foldEvidence(
      [said('2025-01-01', 'WORKS_AT', 'acme'), said('2025-06-01', 'WORKS_AT', 'acme', { closes: true, to: '2025-05' })],
      NEVER,
    )
    expect([day(period?.knownTo ?? null), day(period?.validTo ?? null)]).toEqual(['2025-06-01', '2025-05-01'])
  })

  test('an end that tells a date before the begin was stated closes all the same', () => {
    const evidence = [
      said('2025-06-01', 'WORKS_AT', 'acme'),
      said('2025-06-02', 'WORKS_AT', 'acme', { closes: true, to: '2021' }),
    ]
    expect(current(evidence)).toEqual([])
  })

  test('what is told as past was never open', () => {
    const evidence = [said('2025-01-01', 'WORKS_AT', 'acme', { to: '2020', from: '2018' })]
    const [period] = foldEvidence(evidence, NEVER)
    expect([day(period?.knownFrom ?? null), day(period?.knownTo ?? null)]).toEqual(['2025-01-01', '2025-01-01'])
    expect([day(period?.validFrom ?? null), day(period?.validTo ?? null)]).toEqual(['2018-01-01', '2020-01-01'])
  })

  test('who comes back has a second edge', () => {
    const evidence = [
      said('2024-01-01', 'WORKS_AT', 'acme'),
      said('2024-06-01', 'WORKS_AT', 'acme', { closes: true }),
      said('2025-01-01', 'WORKS_AT', 'acme'),
    ]
    expect(folded(evidence)).toEqual(['WORKS_AT acme 2024-01-01..2024-06-01', 'WORKS_AT acme 2025-01-01..'])
  })

  test('leaving the former one again adds nothing, and ends nothing of the new', () => {
    const evidence = [
      said('2024-01-01', 'WORKS_AT', 'acme'),
      said('2024-06-01', 'WORKS_AT', 'beta'),
      said('2024-07-01', 'WORKS_AT', 'acme', { closes: true }),
    ]
    expect(folded(evidence)).toEqual(['WORKS_AT acme 2024-01-01..2024-06-01', 'WORKS_AT beta 2024-06-01..'])
  })

  test('a birthplace is corrected', () => {
    expect(current([said('2024-01-01', 'BORN_IN', 'oslo'), said('2024-02-01', 'BORN_IN', 'bergen')])).toEqual([
      'bergen',
    ])
  })

  test('nobody stays married to two, on either side', () => {
    const evidence = [
      said('2024-01-01', 'MARRIED_TO', 'bo'),
      said('2024-02-01', 'MARRIED_TO', 'bo', { source: 'carla' }),
      said('2024-03-01', 'MARRIED_TO', 'dan', { source: 'carla' }),
    ]
    expect(folded(evidence)).toEqual([
      'MARRIED_TO bo 2024-01-01..2024-02-01',
      'MARRIED_TO bo 2024-02-01..2024-03-01',
      'MARRIED_TO dan 2024-03-01..',
    ])
  })
})

describe('an end that was told before it came', () => {
  const home = said('2024-01-10', 'LIVES_IN', 'porto', { to: '2024-05' })
  const next = said('2025-01-10', 'LIVES_IN', 'lisbon')
  const again = (statedAt: string, how: Said = {}) => said(statedAt, 'LIVES_IN', 'porto', how)
  const porto = (...evidence: Evidence[]) => {
    const [period] = foldEvidence([home, ...evidence], NEVER)
    return [period?.knownTo ?? null, period?.validTo ?? null].map(day)
  }

  test.each<[string, Evidence[], [string, string]]>([
    ['is the end while nothing closes it', [], ['', '2024-05-01']],
    ['is not lost when another takes the place', [next], ['2024-05-01', '2024-05-01']],
    [
      'gives way to a sooner begin of the other',
      [said('2025-01-10', 'LIVES_IN', 'lisbon', { from: '2024-03' })],
      ['2024-05-01', '2024-03-01'],
    ],
    [
      'is not lost when it is said to be over',
      [said('2025-01-10', 'LIVES_IN', 'porto', { closes: true })],
      ['2024-05-01', '2024-05-01'],
    ],
    ['does not count where it was over before', [said('2024-02-01', 'LIVES_IN', 'lisbon')], ['2024-02-01', '']],
    ['does not count once it is said to go on', [said('2024-08-01', 'LIVES_IN', 'porto')], ['', '']],
    ['nor where another takes the place then', [said('2024-08-01', 'LIVES_IN', 'porto'), next], ['2025-01-10', '']],
    ['counts beside a begin before it', [again('2024-08-01', { from: '2020' })], ['', '2024-05-01']],
    ['but not beside one after it', [again('2024-08-01', { from: '2024-07' })], ['', '']],
    ['is the one told last, if sooner', [again('2024-02-10', { to: '2024-03' })], ['', '2024-03-01']],
    ['or later', [again('2024-02-10', { to: '2024-09' })], ['', '2024-09-01']],
    ['is told again after one that came', [again('2024-08-01', { to: '2024-11' })], ['', '2024-11-01']],
    ['nor does a sooner one once it goes on', [again('2024-02-10', { to: '2024-03' }), again('2024-04-01')], ['', '']],
    ['counts beside a mention before it comes', [again('2024-02-10')], ['', '2024-05-01']],
  ])('%s', (_, evidence, ends) => {
    expect(porto(...evidence)).toEqual(ends)
  })
})

describe('more than one', () => {
  test('a second job leaves the first, and the first does not end it when it is named again', () => {
    const evidence = [
      said('2024-01-01', 'WORKS_AT', 'acme'),
      said('2024-02-01', 'WORKS_AT', 'beta', { isConcurrent: true }),
      said('2024-03-01', 'WORKS_AT', 'acme'),
      said('2024-04-01', 'WORKS_AT', 'beta'),
    ]
    expect(current(evidence)).toEqual(['acme', 'beta'])
    expect(current([...evidence, said('2024-05-01', 'WORKS_AT', 'gamma')])).toEqual(['gamma'])
  })

  test('one memory that names two means both', () => {
    const evidence = [
      said('2024-01-01', 'LIVES_IN', 'berlin', { by: 'm' }),
      said('2024-01-01', 'LIVES_IN', 'lisbon', { by: 'm' }),
    ]
    expect(current(evidence)).toEqual(['berlin', 'lisbon'])
    expect(current([...evidence, said('2024-02-01', 'LIVES_IN', 'lisbon')])).toEqual(['berlin', 'lisbon'])
  })

  test('one memory that names two one after the other means the later', () => {
    const evidence = [
      said('2024-01-01', 'WORKS_AT', 'beta', { by: 'm', from: '2020' }),
      said('2024-01-01', 'WORKS_AT', 'acme', { by: 'm', from: '2015' }),
    ]
    expect(current(evidence)).toEqual(['beta'])
  })

  test('a city and its country are both right', () => {
    const inCountry = (_: RelationType, a: string, b: string) => [a, b].sort().join() === 'lisbon,portugal'
    const evidence = [said('2024-01-01', 'LIVES_IN', 'lisbon'), said('2024-02-01', 'LIVES_IN', 'portugal')]
    expect(folded(evidence, inCountry)).toEqual(['LIVES_IN lisbon 2024-01-01..', 'LIVES_IN portugal 2024-02-01..'])
  })

  test('what one likes does not exclude anything but its opposite', () => {
    const evidence = [
      said('2024-01-01', 'LIKES', 'tea'),
      said('2024-02-01', 'LIKES', 'coffee'),
      said('2024-03-01', 'DISLIKES', 'tea'),
    ]
    expect(folded(evidence)).toEqual([
      'DISLIKES tea 2024-03-01..',
      'LIKES coffee 2024-02-01..',
      'LIKES tea 2024-01-01..2024-03-01',
    ])
  })
})

describe('words that only end', () => {
  test('end whatever job there is, and leave the next one alone', () => {
    const evidence = [
      said('2024-01-01', 'WORKS_AT', 'acme'),
      said('2024-02-01', 'WORKS_AT', WILDCARD_TARGET, { closes: true, onlyEnds: true }),
      said('2024-03-01', 'WORKS_AT', 'beta'),
    ]
    expect(folded(evidence)).toEqual(['WORKS_AT acme 2024-01-01..2024-02-01', 'WORKS_AT beta 2024-03-01..'])
  })

  test('tell nothing where nothing was known to hold', () => {
    const evidence = [
      said('2024-01-01', 'WORKS_AT', WILDCARD_TARGET, { closes: true, onlyEnds: true }),
      said('2024-01-02', 'MARRIED_TO', 'ben', { closes: true, onlyEnds: true }),
    ]
    expect(folded(evidence)).toEqual([])
  })

  test('of a marriage end it whichever of the two they are said of', () => {
    for (const source of ['ada', 'ben']) {
      const evidence = [
        said('2024-01-01', 'MARRIED_TO', 'ben'),
        said('2024-02-01', 'MARRIED_TO', WILDCARD_TARGET, { closes: true, onlyEnds: true, source }),
      ]
      expect(folded(evidence)).toEqual(['MARRIED_TO ben 2024-01-01..2024-02-01'])
    }
  })

  test('of one thing leave others of its kind as they are', () => {
    const evidence = [
      said('2024-01-01', 'USES_TECHNOLOGY', 'vim'),
      said('2024-01-02', 'USES_TECHNOLOGY', 'rust'),
      said('2024-02-01', 'USES_TECHNOLOGY', 'vim', { closes: true, onlyEnds: true }),
    ]
    expect(folded(evidence)).toEqual([
      'USES_TECHNOLOGY rust 2024-01-02..',
      'USES_TECHNOLOGY vim 2024-01-01..2024-02-01',
    ])
  })
})
