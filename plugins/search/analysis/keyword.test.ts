import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type MatchingDatabase, openMatchingDatabase } from './matching.test-support.ts'

// The embedded database takes seconds to start on a busy machine.
setDefaultTimeout(30_000)

let database: MatchingDatabase
beforeAll(async () => {
  database = await openMatchingDatabase()
})
afterAll(() => database.close())

/** A text with queries that find it and queries that do not. */
type Row = readonly [text: string, found: readonly string[], missed: readonly string[]]

function check(guarantee: string, rows: readonly Row[], language?: string): void {
  describe(guarantee, () => {
    test.each(rows.map(row => [row[0], row] as const))('%s', async (_, [text, found, missed]) => {
      const hits = await database.findAll(found, text, language)
      expect(found.filter((_, i) => hits[i] !== true)).toEqual([])
      const wrong = await database.findAll(missed, text, language)
      expect(missed.filter((_, i) => wrong[i] === true)).toEqual([])
    })
  })
}

check('a word is found in every inflection, a quoted one as typed', [
  ['She was running two studies', ['run', 'study', 'studies run', '"running"', '"two studies"'], ['"run"', '"study"']],
  ['We went to the children', ['go child', 'goes', '"went"'], ['"go"', 'children went adult']],
  ['The organization grew', ['organizations', 'grow', 'grown'], ['organ']],
  ['Police at the university', ['police', 'universities'], ['policy', 'universe']],
  ['Anna’s cat doesn’t bite', ['Anna', "anna's", '"Anna’s cat"', '"Anna"', "doesn't", 'doesnt', 'biting'], ['"annas"']],
  ['the café in Zürich', ['cafe', 'CAFÉ', 'zurich', '"cafe in zürich"'], ['cave']],
  [
    'e-mail me about the well-known Wi-Fi',
    ['email', 'e-mail', 'well-known', 'known', 'wifi', '"well-known"'],
    ['"well-knowns"'],
  ],
])

check('an abbreviation is found with and without its full stops, a quoted one as typed', [
  ['a flight to the USA by J.R.R. Tolkien', ['U.S.A.', 'u.s.a', 'USA', '"USA"', 'jrr tolkien'], ['"U.S.A."', 'U.S.']],
  ['a flight to the U.S.A.', ['USA', 'usa', 'U.S.A.', '"U.S.A"', '"u.s.a."'], ['"USA"', 'US', 'a.s.u']],
  ['at 3 p.m. in the U.K., e.g. tea', ['pm', 'UK', 'U.K.', 'eg'], ['ma', 'gb']],
])

check('phrases, exclusions and OR do what they say', [
  [
    'red apples and green pears',
    ['"red apples"', 'apple pear', 'grape OR pear', 'apple -grape', '-grape', 'apple AND pear'],
    ['"red pears"', '"apples red"', 'apple -pear', '-"green pears"', 'grape OR melon', '-red'],
  ],
  [
    'a well-known trick - use the --force flag',
    ['well-known', 'trick - use', '--force', '"--force flag"', 'tricks'],
    ['--forced', 'trick -use', '-force'],
  ],
  ['Portland OR Salem', ['OR', 'salem OR', 'paris OR salem', '"or salem"'], ['paris OR london']],
  [
    'quiet “quoted words” here',
    ['“quoted words”', '„quoted words“', '«quoted words»', '"quoted words', 'words"'],
    ['“words quoted”'],
  ],
  ['(parenthesised) words', ['(parenthesised)', '(words OR none)', '[words]', '-(none)'], ['-(words)']],
  ['it is 5" wide and 3" deep', ['5" wide', '3" deep'], ['7" wide']],
  ['wait what', ['wait...what', '...what', 'what…', '«what» wait™'], []],
  ['cats, dogs', ['cats,dogs', 'dogs;cats', '"cats dogs"'], ['cats,mice']],
])

check('identifiers and code tokens are found as typed', [
  ['git push --dry-run', ['--dry-run', 'dry-run', 'dry run', '"--dry-run"'], ['--dry-runs', '-dry']],
  ['a dry run', ['dry-run', 'dry-runs'], ['--dry-run', '"dry-run"']],
  [
    'see src/queue/worker.ts:12',
    [
      'worker.ts',
      'src/queue/worker.ts',
      'queue/worker',
      'worker',
      '`worker.ts`',
      '(worker.ts)',
      'worker.ts,',
      'worker.ts:12',
      '"src/queue/worker.ts"',
    ],
    ['worker.tsx', 'worker.t', 'queue.worker', 'worker/ts'],
  ],
  ['error TS2345 at line 7', ['TS2345', 'ts2345', '"TS2345"', '2345'], ['TS234', 'TS23456', 'TS2346']],
  ['error TS 23456', ['23456'], ['TS2345']],
  [
    'upgrade to v4.1.12 now.',
    ['v4.1.12', '4.1.12', '"v4.1.12"', 'v4.1.12.'],
    ['v4.1.1', 'v4.1.123', '4.1', '1.12', 'v4.1'],
  ],
  ['upgrade to v4.1.123', ['v4.1.123'], ['v4.1.12', '4.1.12']],
  ['1.2.3-beta.1 and ^4.5.6', ['1.2.3-beta.1', '1.2.3', 'beta.1', '^4.5.6', '4.5.6'], ['1.2', '~4.5.6']],
  [
    'snake_case_name and camelCaseName',
    ['snake_case_name', 'case_name', 'camelCaseName', 'camelcasename', 'caseName', 'camel', 'name'],
    ['snake_name', 'camelCases', 'camelName'],
  ],
  [
    'call getUserById()',
    ['getUserById', 'getUserById()', 'userById', 'GETUSERBYID', 'user'],
    ['getUser_ById', 'getUsersById'],
  ],
  ['a kebab-case-name', ['kebab-case-name', 'case-name'], ['kebab_case_name', 'kebab-name']],
  ['std foo::bar(baz) done', ['foo::bar', 'foo::bar(baz)', '::bar', 'bar(baz)'], ['foo:bar', 'bar::foo']],
  [
    'mail a@b.co or jo.doe@example.com',
    ['a@b.co', 'jo.doe@example.com', '@example.com', 'example.com'],
    ['b@a.co', 'doe@example.co'],
  ],
  [
    'https://example.com/a/b?x=1&y=2#frag',
    ['https://example.com/a/b?x=1&y=2#frag', 'example.com/a/b', 'example.com', 'x=1', '#frag'],
    ['example.com/b', 'x=2'],
  ],
  ['I write C++ and C#, not C', ['C++', 'C#', 'c++', 'C', '"C++"'], ['C+', 'F#']],
  ['I write C', ['C'], ['C++', 'C#']],
  ['ASP.NET and .NET', ['.NET', 'ASP.NET', 'net'], ['.NETS']],
  [
    '#hashtag by @handle in $HOME',
    ['#hashtag', '@handle', '$HOME', 'hashtag', 'handle', 'home'],
    ['#handle', '@hashtag', '$hashtag'],
  ],
  ['hashtag handle', ['hashtag'], ['#hashtag', '@handle']],
  [
    'up 10.5% on 2024-05-01, $1,000.50 or 50€',
    ['10.5%', '10.5', '2024-05-01', '2024-05', '$1,000.50', '1000.50', '50€', '€'.concat('50 OR 50€')],
    ['0.5%', '10.5$', '2024-01', '5%'],
  ],
  ['import {a} from "./x.js"; x = y[0];', ['./x.js', 'y[0]', '{a}'], ['./y.js']],
  [
    'YouTube video on my iPhones',
    ['youtube', '"YouTube video"', '"youtube video"', 'iPhone', 'iphones'],
    ['"you tube"'],
  ],
  ['XMLHttpRequest IDs', ['XMLHttpRequest', 'HttpRequest', 'id', 'xml'], ['XMLRequest']],
  ["O'Brien said rock'n'roll", ["O'Brien", 'O’Brien', 'brien', "rock'n'roll"], ["O'Neil"]],
])

check('texts in scripts without spaces are found by any part', [
  [
    '東京で美味しいラーメンを食べました。',
    [
      '東京',
      'ラーメン',
      '美味しい',
      '食',
      '食べました',
      '東京 ラーメン',
      '「美味しいラーメン」',
      '"ラーメン"',
      '東京 -京都',
    ],
    ['京都', 'ラメン', '東京 -ラーメン', '東京ラーメン'],
  ],
  [
    '我明天要去北京大学学习中文',
    ['北京大学', '北京', '大学', '学', '学习中文', '中文 北京', '要去北', '学习中文'],
    ['上海', '北学', '中学', '北京人', '去北京人', '学习中国'],
  ],
  [
    '저는 어제 학교에서 친구를 만났습니다',
    ['학교', '학교에서', '친구', '"어제 학교에서"', '친구 학교'],
    ['학생', '-학교'],
  ],
  ['วันนี้อากาศดีมากเราไปกินข้าวที่ร้านอาหาร', ['อากาศ', 'กินข้าว', 'ร้านอาหาร', 'น้ำ OR ข้าว'], ['โรงเรียน', 'น้ำ']],
  ['ຂ້ອຍມັກກິນເຂົ້າ', ['ກິນເຂົ້າ', 'ຂ້ອຍ'], ['ນ້ຳ']],
  ['ខ្ញុំចូលចិត្តសៀវភៅ', ['សៀវភៅ'], ['ផ្ទះ']],
  ['ကျွန်တော်စာအုပ်ဖတ်တယ်', ['စာအုပ်'], ['ကား']],
  [
    'iPhone15の価格は2024年5月',
    ['iPhone15', '価格', 'iPhone15の価格', '2024年', '5月', '年5月'],
    ['iPhone14の価格', '4月'],
  ],
  ['ﾃｽﾄ ＡＢＣ１２３', ['テスト', 'abc123', 'ﾃｽﾄ'], ['テト']],
  ['𠮷野家で🍣と🍕を食べた', ['𠮷野家', '🍣', '🍕を', '🍣と🍕'], ['吉野家', '🍔']],
])

check('texts in other scripts are found by a word of them, accents and vowel signs aside', [
  ['Вчера мы читали интересные книги ёлка', ['книга', 'книги', 'интересная', '"книги"', 'елка'], ['"книга"', 'журнал']],
  ['ذهبت إلى المَدْرَسَة مع كـــتاب', ['المدرسة', 'مدرسة', 'كتاب', 'الى'], ['بيت']],
  ['أعيش في القاهرة', ['القاهرة', 'القاهره', 'قاهره'], ['"القاهره"', 'مدينة']],
  ['عاصمه مصر القاهره', ['عاصمة', 'القاهرة', 'القاهره'], ['مدينة']],
  ['کتاب‌های من روی میز است', ['کتاب', 'کتاب‌های', 'کتابهای', '"کتاب‌های من"', 'میز'], ['خانه', '-کتاب']],
  ['من می‌روم', ['می‌روم', 'روم', 'میروم'], ['کتاب']],
  ['הלכתי לבית הספר בְּשָׁלוֹם', ['הספר', 'בשלום', '"לבית הספר"'], ['כלב']],
  ['मैंने किताबें पढ़ीं और हिन्दी सीखी', ['किताब', 'किताबें', 'हिन्दी', '"किताबें पढ़ीं"'], ['कितब', 'गाड़ी']],
  ['Ο Γιάννης διαβάζει ένα βιβλίο', ['Γιαννης', 'ΒΙΒΛΙΟ', 'διαβάζει'], ['σπίτι']],
  ['Tôi sống ở Đà Nẵng', ['Đà Nẵng', 'da nang', '"Đà Nẵng"', 'sống'], ['hanoi']],
  ['İstanbul’da yaşıyorum, Diyarbakır', ['istanbul', 'İSTANBUL', 'yaşıyorum', 'diyarbakir'], ['ankara']],
  ['Die Straße und die Häuser', ['strasse', 'Straße', 'STRASSE', 'häuser'], ['weg']],
])

check(
  'German is stemmed where the workspace is German',
  [['Die Häuser der Städte', ['Haus', 'Stadt'], ['Hund']]],
  'de-AT',
)
check(
  'a French article is no part of the word',
  [['Les écoles et l’homme', ["l'école", 'homme', "l'homme", "d'hommes"], ["l'eau"]]],
  'fr',
)
check(
  'English words are stemmed in a Japanese workspace',
  [['三つの meetings を設定', ['meeting', '設定'], ['meat']]],
  'ja',
)

test('a query with nothing to search for finds nothing', async () => {
  const empty = [
    '',
    ' ',
    '!!!',
    '-',
    '--',
    '""',
    '"',
    '-""',
    '…',
    '\u0000',
    '\ud800',
    '()',
    '“”',
    'ﹿ',
    '\u0640',
    '\u0301',
    '\u064b',
  ]
  const hits = await database.findAll(empty, 'some text -- ""')
  expect(hits.filter(Boolean)).toEqual([])
})
