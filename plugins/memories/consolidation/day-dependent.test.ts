import { describe, expect, test } from 'bun:test'
import { dependsOnDay } from './day-dependent.ts'

describe('a statement depends on its day', () => {
  test.each([
    ['We meet tomorrow.'],
    ['Ada called on MONDAY'],
    ['I ran 5 km this morning'],
    ['He left two weeks ago'],
    ['the rent goes up next year'],
    ['Wir fahren nächste Woche'],
    ['Gestern war ich krank'],
    ["J'ai couru aujourd’hui"],
    ['On part la semaine prochaine'],
    ['Ayer comí pescado'],
    ['El mes pasado me mudé'],
    ['昨日、田中さんに会いました'],
    ['月曜日に会いましょう'],
    ['我昨天去了北京'],
    ['نلتقي غدا'],
  ])('%s', text => {
    expect(dependsOnDay(text)).toBe(true)
  })

  test.each([
    ['Ada prefers dark mode'],
    ['We moved here in May 2019'],
    ['This flat has three rooms'],
    ['Das letzte Wort hat Ada'],
    ["J'habite à Évry"],
    ['私は猫が好きです'],
    ['أحب الشاي'],
  ])('but not: %s', text => {
    expect(dependsOnDay(text)).toBe(false)
  })
})
