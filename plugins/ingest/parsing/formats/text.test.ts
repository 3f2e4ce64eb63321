import { expect, test } from 'bun:test'
import { textOf } from '../fixtures.test-support.ts'

const text = (...lines: string[]) => textOf('TEXT', lines.join('\n'))

test('lines of running text in Japanese are put together without a space, and are measured as wide as they are', async () => {
  const lines = [
    '日本語の文章は単語の間に空白を置かないので、行の終わりで切れた東',
    '京都という言葉は、空白なしでつなぎ直さなければ見つからなくなる。',
    'これが最後の行です。',
  ]
  expect(await text(...lines)).toBe(lines.join(''))
  const addresses = [
    '大阪府大阪市北区梅田三丁目一番三号ノースゲートビル二十八階',
    '東京都千代田区丸の内一丁目九番一号東京駅八重洲口',
    '北海道札幌市北区北六条西四丁目',
  ]
  expect(await text(...addresses)).toBe(addresses.join('\n'))
  const thai = [
    'ภาษาไทยเขียนติดกันโดยไม่มีช่องว่างระหว่างคำและบรรทัดจะตัดที่ท้ายคำเสมอ',
    'ดังนั้นบรรทัดจึงยาวไม่เท่ากันตามความยาวของแต่ละคำใน',
    'ข้อความ',
  ]
  expect(await text(...thai)).toBe(thai.join(''))
  expect(await text('松島や', 'ああ松島や', '松島や')).toBe('松島や\nああ松島や\n松島や')
})

test('lines of a program keep their indentation, and filled ones that are indented alike are one text', async () => {
  const program = ['def greet(name):', '    if name:', "        print('Hello')", '    return name']
  expect(await text(...program)).toBe(program.join('\n'))
  expect(await text('Before.', '', '    first', '      second')).toBe('Before.\n\n    first\n      second')
  const filled = [
    '  The first line of a paragraph goes on up to the margin',
    'and so does the second, which stands a little to the left',
    'of it.',
  ]
  expect(await text(...filled)).toBe(filled.map(line => line.trim()).join(' '))
})

test('a line that stands before the mark of an item is none of it', async () => {
  expect(await text('steps:', '  - one', '    more of one', '  - two', 'after: x')).toBe(
    'steps:\n  - one\n    more of one\n  - two\n\nafter: x',
  )
  expect(await text('- an item', 'that goes on', '- another')).toBe('- an item\nthat goes on\n- another')
})
