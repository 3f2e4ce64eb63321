import { describe, expect, test } from 'bun:test'
import { isNearDuplicate, normalizedContent } from './near-duplicate.ts'

/** The key of each group names the difference between the texts of its pairs. */
const SAME: Record<string, [string, string][]> = {
  'letter case': [
    ['Ada prefers dark mode', 'ada prefers dark mode'],
    ['Ada prefers dark mode', 'ADA PREFERS DARK MODE'],
    ['Ada prefers dark mode', 'Ada prefers Dark Mode'],
    ['Ich wohne in Köln', 'ich wohne in köln'],
    ['Élodie habite à Évry', 'ÉLODIE HABITE À ÉVRY'],
  ],
  spaces: [
    ['I like tea', '  I  like\ttea \n'],
    ['東京に住んでいます', '東京 に 住んでいます'],
    ['أحب الشاي', ' أحب  الشاي '],
  ],
  punctuation: [
    ['I like tea', 'I like tea.'],
    ['I like tea', '"I like tea!!"'],
    ['She likes tea, coffee, and juice.', 'She likes tea, coffee and juice'],
    ['Don’t call me before 9', "Don't call me before 9!"],
    ['私は猫が好きです。', '私は猫が好きです'],
    ['我喜欢喝茶。', '我喜欢喝茶！'],
    ['أحب الشاي.', 'أحب الشاي'],
    ['¡Vivo en Madrid!', 'Vivo en Madrid.'],
    ['It costs $5, but it lasts', 'It costs $5 but it lasts.'],
    ['npm run dev -- --port 1\r\n', 'npm run dev -- --port 1'],
    ['Nora parks in the blue garage on weekdays.', 'Nora parks in the blue garage, on weekdays!'],
    ['I met Ann, in Bonn', 'I met Ann in Bonn'],
    ['Nora drinks her coffee black without sugar.', 'Nora drinks her coffee black, without sugar!'],
    ['Ada likes tea. She hates coffee.', 'Ada likes tea; she hates coffee'],
    ['Ada likes tea: green, never black…', 'Ada likes tea, green never black?'],
    ['I met mary, ann and bob', 'I met mary ann and bob'],
    ['Ada lives in Berlin. She likes it', 'Ada lives in Berlin, she likes it!'],
    ['Ada lives in Berlin. Ben lives in Bonn.', 'Ada lives in Berlin, Ben lives in Bonn'],
    ['Ada likes tea', 'Ada likes tea;'],
    ['Is Ada here?', 'Is Ada here'],
    ['I work. On Monday I rest', 'I work on Monday. I rest'],
    ['He said "I am tired"', 'He said: I am tired!'],
    ['He said ‹I am tired›', 'He said «I am tired»'],
    ['On Fridays, Ada works from home, alone', 'On Fridays Ada works from home alone.'],
    ['In the morning, I drink tea', 'In the morning I drink tea!'],
    ['Sie trinkt ihren Kaffee schwarz ohne Zucker', 'Sie trinkt ihren Kaffee schwarz, ohne Zucker!'],
    ['我喜欢喝茶，不喝咖啡。', '我喜欢喝茶；不喝咖啡！'],
  ],
  'width of characters': [
    ['部屋は１２です', '部屋は12です'],
    ['ﾃﾞｰﾀを見る', 'データを見る'],
  ],
  contractions: [
    ['I am allergic to nuts', "I'm allergic to nuts"],
    ['I do not eat meat', 'I don’t eat meat'],
    ['She cannot swim', "She can't swim"],
    ['It is raining', "It's raining"],
    ['They will move', "They'll move"],
    ['We have moved', "We've moved"],
  ],
  courtesies: [
    ['I am a vegetarian', 'Please remember that I am a vegetarian'],
    ['Call me Ben', 'Call me Ben, thanks!'],
    ['I enjoy long walks.', 'I enjoy long walks, please remember that'],
    ['I enjoy long walks.', 'I enjoy long walks, by the way.'],
    ['Answer in French', 'Answer in French please'],
    ['Antworte auf Deutsch', 'Bitte antworte auf Deutsch.'],
    ['Réponds en français', "Réponds en français, s'il te plaît."],
    ['Responde en español', 'Responde en español, por favor'],
    ['猫が好きです', '猫が好きです。ありがとうございます'],
    ['أحب الشاي', 'أحب الشاي، شكرا'],
  ],
  emphasis: [
    ['I enjoy long walks in the hills', 'I really enjoy long walks in the hills'],
    ['I enjoy long walks', 'Honestly, I enjoy long walks'],
    ['I enjoy long walks', 'I enjoy long walks, really!'],
    ['Ada is fond of tea', 'Ada is actually truly fond of tea'],
    ['Ich mag lange Spaziergänge', 'Ich mag wirklich lange Spaziergänge'],
    ['Me encantan los paseos largos', 'Realmente me encantan los paseos largos'],
    ["J'aime les longues promenades", "J'aime vraiment les longues promenades"],
  ],
  'the place of a time or place': [
    ['Nora parks in the blue garage on weekdays', 'On weekdays, Nora parks in the blue garage.'],
    ['I drink green tea in the morning', 'In the morning, I drink green tea'],
    ['We met Ann at the station', 'At the station, we met Ann!'],
  ],
  'words that say nothing': [
    ['User prefers dark mode', 'The user prefers dark mode'],
    ['Ada said she is ill', 'Ada said that she is ill'],
  ],
}

const APART: Record<string, [string, string][]> = {
  numbers: [
    ['I have 2 dogs', 'I have 3 dogs'],
    ['I have two dogs', 'I have three dogs'],
    ['Version 1.5 runs', 'Version 15 runs'],
    ['It is -5 outside', 'It is 5 outside'],
    ['It is - 5 outside', 'It is 5 outside'],
    ['It costs $5', 'It costs €5'],
    ['It grew by 5%', 'It grew by 5'],
    ['Meet at 10:30', 'Meet at 1030'],
    ['Pages 3, 4', 'Pages 3 - 4'],
    ['x is 10²', 'x is 102'],
    ['The disk holds 10 MB', 'The disk holds 10 Mb'],
    ['Henry IV reigned', 'Henry VI reigned'],
    ['عمري ٣٠ سنة', 'عمري ٣١ سنة'],
    ['猫が3匹います', '猫が4匹います'],
    ['猫が三匹います', '猫が四匹います'],
    ['a 5" disk', 'a 5 disk'],
    ['Rated Dune ★★★', 'Rated Dune ★★★★★'],
    ['The talk was 👍', 'The talk was 👍👍👍'],
  ],
  dates: [
    ['We meet on Monday', 'We meet on Tuesday'],
    ['I leave today', 'I leave tomorrow'],
    ['Her birthday is on 3 May', 'Her birthday is on 3 June'],
    ['Wir treffen uns am Montag', 'Wir treffen uns am Dienstag'],
  ],
  names: [
    ['Anna likes Ben', 'Anna likes Bea'],
    ['Anna manages Ben', 'Ben manages Anna'],
    ['I work at Apple', 'I work at apple'],
    ['I met Mary, Ann and Bob', 'I met Mary Ann and Bob'],
    ['She works in IT', 'She works in it'],
    ['Ada lives in the US', 'Ada lives in us'],
    ['He plays for Team A', 'He plays for Team'],
    ['I like the French', 'I like French'],
    ['田中さんが好きです', '中田さんが好きです'],
  ],
  negations: [
    ['I like tea', 'I do not like tea'],
    ['I never smoke', 'I smoke'],
    ['I do not really like tea', 'I do not like tea'],
    ['I really do not like tea', 'I like tea'],
    ['I hardly like tea', 'I really like tea'],
    ['In winter, I never swim', 'I never swim in winter'],
    ['No, on weekdays I park', 'No on weekdays I park'],
    ['No, coffee for Ben', 'No coffee for Ben'],
    ["Don't, stop", "Don't stop"],
    ['Ich mag Tee', 'Ich mag keinen Tee'],
    ["J'aime le thé", "Je n'aime pas le thé"],
    ["Je n'aime pas le thé", "Je n'aime vraiment pas le thé"],
    ['Ich mag keinen Tee', 'Ich mag wirklich keinen Tee'],
    ['Me gusta el té', 'Realmente no me gusta el té'],
    ['Vivo con azúcar', 'Vivo sin azúcar'],
    ['猫が好きです', '猫が好きではありません'],
  ],
  'other words': [
    ['Ada works at Acme', 'Ada worked at Acme'],
    ['I may travel', 'I must travel'],
    ['My mother is ill', 'Your mother is ill'],
    ['I like tea', 'She likes tea'],
    ['Ada left before lunch', 'Ada left after lunch'],
    ['I always enjoy long walks', 'I enjoy long walks'],
    ['I almost enjoy long walks', 'I enjoy long walks'],
    ['I only enjoy long walks', 'I really enjoy long walks'],
    ['I very much enjoy walks', 'I enjoy walks'],
    ['Is Ada really here?', 'Is Ada here?'],
    ['He said "really good"', 'He said "good"'],
    ['The band is called Really', 'The band is called'],
    ['On Monday, Ann talked about the party', 'Ann talked about the party on Monday'],
    ['In May, Ann left and Ben came', 'Ann left and Ben came in May'],
    ['In Rome, Ann said that Ben slept', 'Ann said that Ben slept in Rome'],
    ['In the key, the box is in the lock', 'In the lock, the box is in the key'],
    ['Ann is in Rome in May', 'Ann is in May in Rome'],
    ['A dog bites a man', 'A man bites a dog'],
    ['He has a few friends', 'He has few friends'],
    ["She's married", 'She is married'],
    ['After that she left', 'After she left'],
    ['I want to thank you', 'I want to'],
    ['Her first words were mum, dad, hello', 'Her first words were mum, dad'],
    ['Ada cannot remember that', 'Ada cannot'],
    ['Nora parks in the garage', 'On weekdays, Nora parks in the garage'],
    ['Ada is hard to please', 'Ada is hard to'],
    ['Hello Kitty is cute', 'Kitty is cute'],
    ['The Who is great', 'Who is great'],
  ],
  'signs and code': [
    ['I am happy 😀', 'I am happy 😡'],
    ['My blood type is O-.', 'My blood type is O.'],
    ['My blood type is O−', 'My blood type is O'],
    ['My grade is B-', 'My grade is B'],
    ['The film got ★★★.', 'The film got ★★★★★!'],
    ['Mood tonight: :-)', 'Mood tonight: :-('],
    ['Thanks ;)', 'Thanks ;('],
    ['His status was :D', 'His status was D'],
    ['He wrote .env', 'He wrote env'],
    ['He uses .NET', 'He uses net'],
    ['Ada wrote C#', 'Ada wrote C'],
    ['Open src/a.ts', 'Open src/b.ts'],
    ['Call foo()', 'Call foo'],
    ['if (!ready) stop', 'if (ready) stop'],
    ['git log --All', 'git log --all'],
    ['x = y;\n  z = 1;', 'x = y;\nz = 1;'],
    ['a && b', 'a || b'],
    ['my password is Secret', 'my password is secret'],
    ['Strasse der Maße', 'Strasse der Masse'],
  ],
}

describe('two texts are near-duplicates when they differ only in', () => {
  test.each(Object.entries(SAME))('%s', (_, pairs) => {
    for (const [a, b] of pairs) expect([a, b, isNearDuplicate(a, b), isNearDuplicate(b, a)]).toEqual([a, b, true, true])
  })
})

describe('two texts are not near-duplicates when they differ in', () => {
  test.each(Object.entries(APART))('%s', (_, pairs) => {
    for (const [a, b] of pairs)
      expect([a, b, isNearDuplicate(a, b), isNearDuplicate(b, a)]).toEqual([a, b, false, false])
  })
})

describe('the normalized content of a text', () => {
  test('is undefined without a word or a number, and for very long texts', () => {
    for (const text of ['', ' ... ', '😀', '!?']) expect(normalizedContent(text)).toBeUndefined()
    expect(normalizedContent('a '.repeat(5000))).toBeString()
    expect(normalizedContent('a '.repeat(5001))).toBeUndefined()
    expect(isNearDuplicate('...', '...')).toBe(false)
  })

  test('is computed quickly for any text', () => {
    for (const text of [
      "'".repeat(10_000),
      '1"'.repeat(5000),
      '. '.repeat(5000),
      'a.'.repeat(5000),
      '; '.repeat(5000),
      '\n'.repeat(10_000),
      'a-'.repeat(5000),
      '("1'.repeat(3333),
    ]) {
      const startedAt = performance.now()
      normalizedContent(text)
      expect(performance.now() - startedAt).toBeLessThan(2000)
    }
  })

  test('is the courtesy for a text of nothing else', () => {
    expect(isNearDuplicate('Thanks!', 'thanks')).toBe(true)
    expect(isNearDuplicate('Please', 'Thanks')).toBe(false)
  })
})
