import { describe, expect, test } from 'bun:test'
import { areSpellingVariants, ordinaryWords } from './correct.ts'

describe('ordinary words', () => {
  test.each(['garden', 'gardening', 'hikes', 'colour', 'color', 'political', 'december', 'june', 'hosted'])(
    '%s is one',
    async word => {
      expect((await ordinaryWords()).has(word)).toBe(true)
    },
  )

  test.each(['gardning', 'agrdening', 'cotage', 'cottges', 'ottage', 'restuarant', 'restorant', 'habrour', 'recieved'])(
    '%s is none',
    async word => {
      expect((await ordinaryWords()).has(word)).toBe(false)
    },
  )
})

describe('two spellings', () => {
  test.each([
    ['colour', 'color'],
    ['organise', 'organize'],
    ['travelling', 'traveling'],
    ['centre', 'center'],
    ['grey', 'gray'],
    ['defence', 'defense'],
    ['sara', 'sarah'],
    ['jon', 'john'],
    ['stephen', 'steven'],
    ['katherine', 'catherine'],
  ])('%s and %s are one word', (a, b) => {
    expect(areSpellingVariants(a, b)).toBe(true)
  })

  test.each([
    ['june', 'tune'],
    ['december', 'remember'],
    ['political', 'posit'],
    ['john', 'join'],
    ['state', 'stage'],
    ['mother', 'other'],
    ['plane', 'plate'],
    ['house', 'horse'],
  ])('%s and %s are not', (a, b) => {
    expect(areSpellingVariants(a, b)).toBe(false)
  })
})
