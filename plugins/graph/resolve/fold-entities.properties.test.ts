import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { ENTITY_TYPES, type EntityType } from '../contract.ts'
import { foldEntities, type MentionGroup } from './fold-entities.ts'

interface Told extends MentionGroup {
  readonly memory: number
}

const told = fc.record({
  isUser: fc.constant(false),
  normalNames: fc.uniqueArray(fc.constantFrom('ada', 'ada byron', 'ada okafor', 'porto', 'bob', 'robert'), {
    minLength: 1,
    maxLength: 3,
  }),
  type: fc.constantFrom(...ENTITY_TYPES),
  isFirm: fc.boolean(),
  // Sums of eighths are exact in any order.
  weight: fc.nat(8).map(n => n / 8),
  statedAt: fc.nat(4).map(day => new Date(day * 86_400_000)),
  memory: fc.nat(6),
})

const ofUser = fc.record({
  isUser: fc.constant(true),
  normalNames: fc.constantFrom(['u7'], ['ada', 'u7'], ['robert', 'u7']),
  type: fc.constant<EntityType>('PERSON'),
  isFirm: fc.constant(false),
  weight: fc.constant(1),
  statedAt: fc.constant(new Date(0)),
  memory: fc.constant(-1),
})

const apart = (one: Told, other: Told) => one.memory === other.memory && one.memory >= 0 && one.type !== other.type

const fold = (mentions: readonly Told[]) => foldEntities(mentions, one => mentions.filter(other => apart(one, other)))

/** Mentions that say the same in one memory are one. */
function distinct(mentions: readonly Told[]): Told[] {
  const key = ({ memory, normalNames, type, isFirm, isUser }: Told) =>
    JSON.stringify([memory, normalNames, type, isFirm, isUser])
  return [...new Map(mentions.map(one => [key(one), one])).values()]
}

const shown = (mentions: readonly Told[]) =>
  fold(mentions)
    .map(
      ({ type, groups }) =>
        `${type} ${groups
          .map(one => JSON.stringify(one))
          .toSorted()
          .join()}`,
    )
    .toSorted()

const world = fc.array(fc.oneof({ weight: 5, arbitrary: told }, ofUser), { maxLength: 9 }).map(distinct)

describe('entities folded from mentions', () => {
  test('are the same in whatever order the mentions come', () => {
    fc.assert(
      fc.property(world, fc.infiniteStream(fc.nat()), (mentions, keys) => {
        const shuffled = mentions
          .map(mention => ({ mention, key: keys.next().value ?? 0 }))
          .toSorted((a, b) => a.key - b.key)
          .map(({ mention }) => mention)
        expect(shown(shuffled)).toEqual(shown(mentions))
      }),
      { numRuns: 500 },
    )
  })

  test('hold each mention once, none that a memory names apart from another, and no person that is certainly none', () => {
    fc.assert(
      fc.property(world, mentions => {
        const entities = fold(mentions)
        expect(entities.flatMap(({ groups }) => groups)).toHaveLength(mentions.length)
        expect(entities.filter(({ isUser }) => isUser).length).toBeLessThanOrEqual(1)
        for (const { groups, type, isUser } of entities) {
          expect(groups.map(one => one.type)).toContain(type)
          const named = isUser ? groups.filter(one => !one.isUser) : groups
          const pairs = named.flatMap(one => named.map(other => [one, other] as const))
          const tiedByUser = isUser && new Set(groups.filter(one => one.isUser).map(one => one.normalNames[0])).size > 1
          if (!tiedByUser) expect(pairs.filter(([one, other]) => apart(one, other))).toEqual([])
        }
      }),
      { numRuns: 500 },
    )
  })

  test('are one of a name, unless the texts tell two apart', () => {
    fc.assert(
      fc.property(
        fc
          .array(told, { minLength: 1, maxLength: 8 })
          .map(list => list.map((one, n) => ({ ...one, normalNames: ['porto'], memory: n }))),
        mentions => {
          const sure = new Set(mentions.filter(one => one.isFirm).map(one => one.type === 'PERSON'))
          expect(fold(mentions)).toHaveLength(Math.max(1, sure.size))
        },
      ),
    )
  })
})

describe('the type of an entity', () => {
  const mention = (type: EntityType, isFirm: boolean, weight: number, memory: number): Told => ({
    isUser: false,
    normalNames: ['lindal freight'],
    type,
    isFirm,
    weight,
    statedAt: new Date(memory),
    memory,
  })
  const typesOf = (...mentions: Told[]) => fold(mentions).map(({ type }) => type)

  test('is what a relationship bears out, however often it was guessed otherwise', () => {
    expect(typesOf(mention('ORGANIZATION', true, 0.8, 1), mention('PERSON', false, 6, 2))).toEqual(['ORGANIZATION'])
  })

  test('is what most guesses say without one', () => {
    expect(
      typesOf(mention('THING', false, 0.7, 1), mention('PLACE', false, 0.6, 2), mention('PLACE', false, 0.6, 3)),
    ).toEqual(['PLACE'])
  })

  test('is of two where somebody was born and somewhere one lives go by one name', () => {
    expect(
      typesOf(mention('PERSON', true, 0.8, 1), mention('PLACE', true, 0.8, 2), mention('ORGANIZATION', false, 0.5, 3)),
    ).toEqual(['PERSON', 'PLACE'])
  })

  test('is of two where one memory names a person and a city', () => {
    expect(typesOf(mention('PERSON', false, 0.8, 1), mention('PLACE', false, 0.8, 1))).toHaveLength(2)
  })
})

describe('the work of folding', () => {
  const counted = (mentions: readonly MentionGroup[], beside: (n: number) => readonly number[] = () => []) => {
    let steps = 0
    const groups = mentions.map(({ normalNames, ...one }) => ({
      ...one,
      get normalNames() {
        steps++
        return normalNames
      },
    }))
    const places = new Map(groups.map((group, n) => [group, n]))
    const entities = foldEntities(groups, group =>
      beside(places.get(group) ?? 0).flatMap(n => {
        steps++
        return groups[n] ?? []
      }),
    )
    return { entities: entities.length, steps }
  }
  const base = { isUser: false, type: 'PERSON', isFirm: false, weight: 1, statedAt: new Date(0) } as const
  const many = (of: (n: number) => Partial<MentionGroup>) =>
    Array.from({ length: 1000 }, (_, n) => ({ ...base, normalNames: [], ...of(n) }))

  test('grows with the names that a user states, not with their pairs', () => {
    const { entities, steps } = counted(many(n => ({ isUser: true, normalNames: [`ada ${n}`, 'u7'] })))
    expect(entities).toBe(1)
    expect(steps).toBeLessThan(20_000)
  })

  test('grows with the mentions that share an alias, not with their pairs', () => {
    const { entities, steps } = counted(many(n => ({ normalNames: [`bob ${n}`, 'robert'] })))
    expect(entities).toBe(1)
    expect(steps).toBeLessThan(20_000)
  })

  test('grows with the aliases of a name that texts tell apart, not with their pairs', () => {
    const mentions = many(n => ({ type: n % 2 ? 'PLACE' : 'PERSON', normalNames: ['porto', `p${n}`] }))
    const { entities, steps } = counted(mentions, n => [n % 2 ? n - 1 : n + 1])
    expect(entities).toBe(2)
    expect(steps).toBeLessThan(20_000)
  })
})
