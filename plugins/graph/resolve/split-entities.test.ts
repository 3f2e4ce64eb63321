import { describe, expect, test } from 'bun:test'
import { componentsOf, type MentionGroup } from './split-entities.ts'

function group(names: readonly string[], day: number, isUser = false): MentionGroup {
  return { isUser, normalNames: names, memoryIds: [`m${day}`], statedAt: new Date(day * 86_400_000) }
}

const namesOf = (components: readonly (readonly MentionGroup[])[]) =>
  components.map(groups => groups.flatMap(({ normalNames }) => normalNames).toSorted())

describe('what ties mentions together', () => {
  test('is a name they share, over any number of steps', () => {
    const groups = [group(['bob'], 1), group(['rob'], 2), group(['bob', 'robert'], 3), group(['robert', 'rob'], 4)]
    expect(namesOf(componentsOf(groups))).toEqual([['bob', 'bob', 'rob', 'rob', 'robert', 'robert']])
  })

  test('is that they are the user', () => {
    const groups = [group(['u7'], 2, true), group(['noor', 'u7'], 3, true), group(['noor'], 1), group(['ada'], 1)]
    expect(namesOf(componentsOf(groups))).toEqual([['noor', 'noor', 'u7', 'u7'], ['ada']])
  })

  test('gone, the oldest keep the entity, or those that are the user', () => {
    expect(namesOf(componentsOf([group(['robert'], 2), group(['bob'], 1)]))).toEqual([['bob'], ['robert']])
    expect(namesOf(componentsOf([group(['noor'], 1), group(['u7'], 2, true)]))).toEqual([['u7'], ['noor']])
  })
})
