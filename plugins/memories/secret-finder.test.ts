import { describe, expect, test } from 'bun:test'
import { describeLinear } from '../../test/support/pumped.ts'
import { loadFinder } from './contract/secret-finder.ts'
import { TEXT_MAX } from './schemas.ts'

const find = await loadFinder()
const TOKEN = `ghp_${'a1B2'.repeat(9)}`
const KEY = `-----BEGIN PRIVATE KEY-----\nMII${'Ev4z'.repeat(200)}\n-----END PRIVATE KEY-----`
const CARD = '4111 1111 1111 1111'

describe('a text', () => {
  test.each([
    ['github', TOKEN],
    ['privatekey', KEY],
    ['card', CARD],
    ['card', '378282246310005'],
    ['card', '5555-5555-5555-4444'],
    ['stripe', `sk_live_${'a1'.repeat(16)}`],
    ['anthropic', `sk-ant-api03-${'aB3'.repeat(31)}AA`],
    ['database-connection-string', 'postgres://ada:hunter22@db.example.com:5432/tea'],
  ])('shows a secret of the kind %s and where it is', (kind, secret) => {
    expect(find(`It is ${secret} now.`)).toEqual([{ kind, start: 6, end: expect.any(Number) }])
    const [found] = find(`It is ${secret} now.`)
    expect(`It is ${secret} now.`.slice(6, found?.end)).toStartWith(secret)
  })

  test('shows the private key in the JSON of an account', () => {
    const text = JSON.stringify({ type: 'service_account', private_key_id: 'a1', private_key: KEY })
    expect(find(text).map(({ kind }) => kind)).toEqual(['privatekey'])
  })

  test.each([
    ['a number that is no card by its check digit', '4111 1111 1111 1112'],
    ['numbers in other groups', '41 1111 1111 1111 1111'],
    ['a part of a longer number', '411111111111111100001111'],
    ['a part of a UUID or a decimal', '3f2a-4111111111111111, 0.4111111111111111'],
    ['a telephone number', '+1 415 555 2671'],
    ['what a comment asks to leave', 'secretlint-disable'],
    ['plain words', 'Ada prefers tea, and her token of thanks was a secret key to the garden.'],
  ])('shows no secret in %s', (_, text) => expect(find(text)).toEqual([]))

  test('cannot switch rules off by a comment', () => {
    expect(find(`// secretlint-disable\n${TOKEN}`)).toHaveLength(1)
  })
})

describeLinear({
  find: {
    read: find,
    lengthMax: TEXT_MAX,
    units: [
      '1 ',
      'ghs_1_',
      'ghs_1_a.',
      'https://a:',
      'xoxb-a-',
      '-----BEGIN PRIVATE KEY-----\n',
      'mongodb://a:b@',
      'SG.a.',
    ],
  },
})
