import { describe, expect, test } from 'bun:test'
import { localFacts } from './index.ts'

async function facts(text: string): Promise<string[]> {
  const found = await localFacts([{ turn: 0, role: 'user', text }], undefined)
  return found.map(fact => fact.text)
}

describe('what looks like code at a glance is kept', () => {
  test.each([
    'I adopted a dog named Rex :)',
    'I got the job at Acme ;)',
    'My sister lives in Porto (she moved there in May)',
    'I worked at Acme (my old employer) for two years.',
    'I love the book(s) of Murakami.',
    'I moved to Porto with my cat 🎉🎉🎉🏳️‍🌈🇵🇹',
    'From Brazil, but living in Spain for 5 years',
    'Using Rust, Postgres and Kafka at Acme.',
    'Public transport, mostly the tram to Belém.',
    'Private lessons, twice a week with Marta.',
    'Birthday: 12 May 1990',
    'Height: 180 cm',
    '$50 a month is my budget for books.',
    'Update from Lisbon: we bought the flat.',
    'I live in Porto with my two cats;',
  ])('%s', async text => {
    expect(await facts(text)).toEqual([text])
  })
})

describe('code, data and logs are not', () => {
  test.each([
    'from typing import Optional, List',
    'import React from "react"',
    'let total = prices.sum',
    'private final Customer customer;',
    'def area_of(circle):',
    'console.log("I live in Porto")',
    'doSomethingNice();',
    'at Object.render (/app/src/main.js:10:15)',
    'select name from customers where city is Porto',
    '"city": "Porto",',
    'timeout_in_seconds = 30',
    'retry: true',
    '}, [customer, address]);',
  ])('%s', async text => {
    expect(await facts(text)).toEqual([])
  })
})

describe('lines that could be anybody’s', () => {
  const lines = ['readonly owner: Owner', 'I live in Porto with my cat', "const task = read('x')", 'return task.done()']

  test('are code among code', async () => {
    expect(await facts(lines.join('\n'))).toEqual([])
  })

  test('are the user’s in a paragraph apart', async () => {
    expect(await facts(`Hi!\n\n${lines.join('\n')}\n\nI live in Ghent.`)).toEqual(['I live in Ghent.'])
    expect(await facts(`I use Deno at work.\nI live in Ghent.\n${lines.at(-1)}`)).toHaveLength(2)
  })
})

test('praise of the assistant costs nothing that the user says of himself', async () => {
  expect(await facts("You're a great assistant! I moved to Porto and work at Acme now.")).toEqual([
    'I moved to Porto and work at Acme now.',
  ])
})

test.each([
  ['Lao', 'ຂ້ອຍອາໄສຢູ່ວຽງຈັນກັບແມວສອງໂຕ'],
  ['Khmer', 'ខ្ញុំរស់នៅភ្នំពេញជាមួយឆ្មាពីរ'],
  ['Burmese', 'ကျွန်တော်ရန်ကုန်မှာနေပါတယ်'],
  ['Thai', 'ฉันอาศัยอยู่ในเชียงใหม่กับแมวสองตัว'],
])('a statement in %s, which puts no spaces between words, is kept', async (_, text) => {
  expect(await facts(text)).toEqual([text])
})

test.each([
  ['Japanese', ['大阪に住んでいます。', '牛乳が嫌いです。']],
  ['Korean', ['서울에 살아요.', '고양이를 키워요.', '커피를 좋아해요.']],
  ['Arabic', ['أعمل مهندسا.', 'عندي قطة.', 'أكره الحليب.']],
  ['Hebrew', ['אני רופא.']],
  ['Turkish', ["İzmir'de yaşıyorum.", 'Kedileri severim.', 'Kahve içmeyi sevmem ama çay içerim.']],
  ['Polish', ['Mieszkam w Gdyni.', 'Lubię koty.', 'W sobotę jadę z siostrą nad morze.']],
  ['Portuguese', ['Sou médica.', 'Gosto de gatos.']],
])('statements in %s, which leaves the speaker to the verb or out, are kept', async (_, texts) => {
  const turns = texts.map((text, turn) => ({ turn, role: 'user' as const, text }))
  expect((await localFacts(turns, undefined)).map(({ text }) => text)).toEqual([...texts])
})

test('what points at something unsaid is no statement in such a language either', async () => {
  expect(await facts('これ、私が去年買った電動自転車です。')).toEqual([])
})

test.each(['هذا رائع!', 'Harika bir fikir!', 'Отличная идея!'])(
  'an exclamation of a few words is not: %s',
  async text => {
    expect(await facts(text)).toEqual([])
  },
)

describe('a text that ends no sentence', () => {
  test.each([
    ['in Thai', 'ฉันอาศัยอยู่ในเชียงใหม่กับแมวสองตัว ฉันทำงานเป็นวิศวกรที่โรงงาน ', 'ฉันแพ้ถั่วลิสง'],
    [
      'in a chat',
      'i moved to porto with my two cats last year, my sister ana works at acme in berlin, ',
      'i am allergic to nuts',
    ],
    ['without any mark', 'i moved to porto with my two cats and my sister ana works at acme ', 'i am allergic to nuts'],
  ])('is kept in parts, %s', async (_, begins, ends) => {
    const text = begins.repeat(20) + ends
    expect(text.length).toBeGreaterThan(1000)
    const found = await facts(text)
    expect(found.at(-1)).toEndWith(ends)
    for (const fact of found) {
      expect(text).toContain(fact)
      expect(fact.length).toBeLessThanOrEqual(500)
    }
  })

  test('but not where it has no spaces either', async () => {
    expect(await facts(`${'x'.repeat(2000)} I live in Porto`)).toEqual(['I live in Porto'])
  })
})
